import type { SendingValues } from './sending-values.ts'

type QuietHours = Pick<SendingValues, 'quiet_from' | 'quiet_to'>

/** Values of a form with quiet hours to the minute, as they are typed. */
export function withQuietMinutes<V extends QuietHours>(values: V): V {
  const { quiet_from: from, quiet_to: to } = values
  return { ...values, quiet_from: from?.slice(0, 5) ?? null, quiet_to: to?.slice(0, 5) ?? null }
}

/** True for two times of day, or none. */
export function isQuietSpan({ quiet_from: from, quiet_to: to }: QuietHours): boolean {
  if (!from && !to) return true
  return [from, to].every(time => /^([01]\d|2[0-3]):[0-5]\d$/.test(time ?? ''))
}
