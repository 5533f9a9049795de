// Draws depots and the way of one parcel on a map.
export interface Point {
  x: number;
  y: number;
}

export class WayMap {
  constructor(private places: Map<string, Point>) {}

  path(depots: string[]): string {
    const points = depots.map((name) => this.places.get(name)).filter((point) => point !== undefined);
    return points.map((point, index) => `${index ? "L" : "M"}${point.x} ${point.y}`).join(" ");
  }
}
