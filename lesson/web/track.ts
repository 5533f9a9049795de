// The page where people look up their parcel.
export interface Event {
  hour: number;
  depot: string;
  what: "accepted" | "loaded" | "arrived" | "rerouted";
}

export async function fetchHistory(number: string): Promise<Event[]> {
  const answer = await fetch(`/parcels/${encodeURIComponent(number)}`);
  if (answer.status === 404) {
    throw new Error(`no parcel ${number}`);
  }
  return answer.json();
}

export function describe(event: Event): string {
  if (event.what === "rerouted") {
    return `${event.depot}: your parcel takes another way`;
  }
  return `${event.depot}: ${event.what}`;
}
