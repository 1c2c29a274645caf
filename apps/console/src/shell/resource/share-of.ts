/** A rate; null if the total is 0, shown as a dash, since "0 %" would be a figure. */
export function shareOf(count: number, all: number): number | null {
  return all > 0 ? count / all : null
}
