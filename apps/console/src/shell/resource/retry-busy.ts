import { ApiError } from '@emma/client/api-error.ts'

const MAX_TRIES = 12
const DEFAULT_DELAY_SECONDS = 5

/** Query options that retry a `busy` response after its Retry-After. Other errors are not retried. */
export const retryBusy = {
  retry: (failures: number, error: Error) => isBusy(error) && failures < MAX_TRIES,
  retryDelay: (_failures: number, error: Error) => 1_000 * delaySeconds(error),
}

/** True for a `busy` response. */
export function isBusy(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'busy'
}

function delaySeconds(error: Error): number {
  return (error instanceof ApiError ? error.retryAfterSeconds : null) ?? DEFAULT_DELAY_SECONDS
}
