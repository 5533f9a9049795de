// The board in the waiting hall: arrivals with their berths.
export interface BoardLine {
  vessel: string;
  berth: number;
  minute: number;
}

export function formatTime(minute: number): string {
  const hours = Math.floor(minute / 60);
  return `${hours}:${String(minute % 60).padStart(2, "0")}`;
}

export class Board {
  constructor(private lines: BoardLine[]) {}

  render(): string[] {
    return this.lines.map((line) => `${formatTime(line.minute)} ${line.vessel} berth ${line.berth}`);
  }
}
