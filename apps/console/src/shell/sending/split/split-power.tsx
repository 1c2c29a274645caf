import { queryKeys } from '@emma/client/query-keys.ts'
import { listReports } from '@emma/contract/actions/reports.ts'
import { campaignState } from '@emma/contract/campaign-states.ts'
import type { Split } from '@emma/contract/split.ts'
import { detectableDifference, neededSample } from '@emma/contract/statistics/needed-sample.ts'
import { useFormat } from '@emma/ui/i18n.tsx'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../session/api.ts'
import { useClientId, usePermission } from '../../session/use-session.ts'
import { type AudienceValues, useAudienceCount } from '../audience-count.tsx'
import classes from './split.module.css'

interface SplitPowerProps {
  split: Split
  values: AudienceValues
}

/** Rates without earlier campaigns. */
const usual = { clicks: 0.03, opens: 0.25 }

/** Campaigns that the expected rate is taken from. */
const earlier = 20

/** What difference this test can show, by the size of the audience and the rates of earlier campaigns. */
export function SplitPower({ split, values }: SplitPowerProps): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const by = split.winner_by === 'opens' ? 'opens' : 'clicks'
  const rates = useEarlierRates()
  const { data: audience } = useAudienceCount(values)
  if (!audience || values.list_id === null || split.winner_by === 'conversions') return null
  const count = split.variants.length + 1
  const invited = audience.estimated_volume * (1 - split.holdout_percent / 100)
  const recipients = Math.floor((invited * split.sample_percent) / 100 / count)
  const rate = rates?.[by] ?? usual[by]
  const plan = { rate, level: split.level, variants: count }
  const difference = detectableDifference(plan, recipients)
  const needed = neededSample(plan, rate * 0.2)
  return (
    <div className={classes.power} aria-live="polite">
      <strong>{t('campaigns.split.power', { recipients: format.number(recipients) })}</strong>
      <span>
        {difference === null
          ? t('campaigns.split.power_none')
          : t('campaigns.split.power_shows', {
              rate: format.percent(rate),
              other: format.percent(rate + difference),
            })}
      </span>
      <span>
        {t('campaigns.split.power_needed', {
          other: format.percent(rate * 1.2),
          needed: format.number(needed),
        })}
      </span>
      <span className={classes.source}>
        {t(rates ? `campaigns.split.power_source.${by}` : 'campaigns.split.power_guess', {
          rate: format.percent(rate),
        })}
      </span>
    </div>
  )
}

/** Rates of the latest campaigns; null if there are none, or the user may not see them. */
function useEarlierRates(): { clicks: number; opens: number } | null {
  const clientId = useClientId()
  const maySee = usePermission({ all: ['EmmaReport:get'] })
  const query = {
    client_id: [clientId],
    status: [campaignState.finished],
    orderby: 'started_at',
    desc: true,
    limit: earlier,
  }
  const { data } = useQuery({
    queryKey: queryKeys.action(listReports, query),
    queryFn: ({ signal }) => api.call(listReports, { query, signal }),
    enabled: maySee,
  })
  const sum = (of: 'nb_delivered' | 'nb_click' | 'nb_open') =>
    (data?.data ?? []).reduce((all, row) => all + row[of], 0)
  const delivered = sum('nb_delivered')
  if (delivered < 100 || sum('nb_click') === 0 || sum('nb_open') === 0) return null
  return { clicks: sum('nb_click') / delivered, opens: sum('nb_open') / delivered }
}
