import { ApiError } from '@emma/client/api-error.ts'

const MAX_TRIES = 12
const DEFAULT_DELAY_SECONDS = 5

/** Options of a query that asks again while the server is busy, when the server said it should. Other errors fail it. */
export const retryBusy = {
  retry: (failures: number, error: Error) => isBusy(error) && failures < MAX_TRIES,
  retryDelay: (_failures: number, error: Error) => 1_000 * delaySeconds(error),
}

/** True for an answer that says no more than "later". */
export function isBusy(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'busy'
}

function delaySeconds(error: Error): number {
  return (error instanceof ApiError ? error.retryAfterSeconds : null) ?? DEFAULT_DELAY_SECONDS
}
