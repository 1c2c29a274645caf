import type { VolumeLimit } from '@emma/contract/actions/volume.ts'
import { secondsPerUnit, throttleUnits } from '@emma/contract/resources/mailclass.ts'
import { useFormat } from '@emma/ui/i18n.tsx'
import { useTranslation } from 'react-i18next'

/** Texts of limits: "1,000 per hour, mail class Newsletter". `ofProvider`: it applies to one mailbox provider. */
export function useLimitText() {
  const { t } = useTranslation()
  const format = useFormat()

  function rateText({ kind, mails, seconds }: VolumeLimit): string {
    const values = { mails: format.number(mails) }
    const unit = throttleUnits.find(one => secondsPerUnit[one] === seconds)
    if (kind !== 'window' && unit) return t(`campaigns.volume.rate.${unit}`, values)
    return t('campaigns.volume.rate.window', { ...values, minutes: format.number((seconds ?? 0) / 60) })
  }

  return {
    limitText: (limit: VolumeLimit) =>
      t(`campaigns.volume.limits.${limit.kind}`, {
        rate: limit.mails === null ? '' : rateText(limit),
        mailclass: limit.mailclass ?? '',
      }),
    ofProvider: ({ kind }: VolumeLimit) => ofProvider.has(kind),
  }
}

const ofProvider: ReadonlySet<string> = new Set(['provider', 'mailclass_provider', 'back_off'])
