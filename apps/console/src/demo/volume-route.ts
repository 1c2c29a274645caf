import { calculateVolume, type VolumeLimit } from '@emma/contract/actions/volume.ts'
import { secondsPerUnit } from '@emma/contract/resources/mailclass.ts'
import { type DemoRoute, onAction } from './demo-call.ts'

/** Share and name of the mailbox provider that the demo's mail class limits. */
const limited = { provider_id: 5, name: 'Gmail', share: 0.4 }
const others = { provider_id: 0, name: 'other' }

const byProvider: VolumeLimit = {
  kind: 'mailclass_provider',
  mails: 50_000,
  seconds: 3600,
  mailclass: 'Newsletter',
}

/** Estimates the time of a sending: by the campaign's rate, otherwise by a limit for one mailbox provider. */
export const volumeRoute: readonly DemoRoute[] = onAction(calculateVolume, async ({ body }, { now }) => {
  const volume = body.volume ?? (body.by_provider ?? []).reduce((sum, { count }) => sum + count, 0)
  const start = body.startdate === null ? now().getTime() : Date.parse(body.startdate)
  const finish = (seconds: number) => ({
    duration_s: Math.round(seconds),
    enddate: new Date(start + seconds * 1000).toISOString(),
  })
  const large = Math.round(volume * limited.share)
  const own: VolumeLimit | null =
    body.throttle > 0
      ? {
          kind: 'campaign',
          mails: body.throttle,
          seconds: secondsPerUnit[body.throttle_unit],
          mailclass: null,
        }
      : null
  const limit = own ?? byProvider
  const count = own ? volume : large
  const whole = finish((count * (limit.seconds ?? 0)) / (limit.mails ?? 1))
  const { provider_id, name } = limited
  return {
    volume,
    startdate: new Date(start).toISOString(),
    ...whole,
    by_provider: [
      { provider_id, name, count: large, limit, ...whole },
      { ...others, count: volume - large, limit: own, ...(own ? whole : finish(0)) },
    ],
    bottleneck: volume === 0 ? null : { provider_id, name, limit },
    ips: [],
    warmup: [],
    warnings: body.local_time
      ? [{ code: 'volume.local_time', message: 'Sending in local time can take up to a day longer.' }]
      : [],
  }
})
