import { countList } from '@emma/contract/actions/audience.ts'
import { queryKeys } from '@emma/client/query-keys.ts'
import { TextSkeleton } from '@emma/ui/feedback/skeletons.tsx'
import { useFormat } from '@emma/ui/i18n.tsx'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../session/api.ts'
import { errorText } from '../i18n/error-text.ts'
import { useClientId } from '../session/use-session.ts'
import type { SendingValues } from './sending-values.ts'
import classes from './audience-count.module.css'

/** What determines the recipients. */
export type AudienceValues = Pick<
  SendingValues,
  'list_id' | 'exclude_list_ids' | 'blacklist_ids' | 'capping_id' | 'message_id' | 'send_once_key'
>

interface AudienceCountProps {
  values: AudienceValues
}

/** Debounce of the send-once key in ms. */
const PAUSE = 350

/** Counts the selected audience; again with each change. */
export function useAudienceCount({
  list_id,
  exclude_list_ids,
  blacklist_ids,
  capping_id,
  message_id,
  send_once_key: key,
}: AudienceValues) {
  const [send_once_key] = useDebouncedValue(key?.trim() || null, PAUSE)
  const clientId = useClientId()
  return useQuery({
    queryKey: queryKeys.action(countList, {
      list_id,
      exclude_list_ids,
      blacklist_ids,
      capping_id,
      message_id,
      send_once_key,
    }),
    queryFn: ({ signal }) =>
      api.call(countList, {
        params: { client_id: clientId },
        body: {
          list_id: list_id ?? 0,
          excludes: exclude_list_ids,
          blacklist_ids,
          capping_id,
          message_id,
          send_once_key,
        },
        signal,
      }),
    enabled: list_id !== null,
    placeholderData: keepPreviousData,
  })
}

/** Number of recipients and skip reasons of the selected audience. */
export function AudienceCount({ values }: AudienceCountProps): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const { data, error } = useAudienceCount(values)
  if (values.list_id === null) return null
  if (error) return <div className={classes.count}>{errorText(error)}</div>
  if (!data) {
    return (
      <div className={classes.count}>
        <TextSkeleton lines={2} />
      </div>
    )
  }
  const left: [string, number][] = [
    [t('campaigns.count.excluded'), data.excluded],
    ...Object.entries(data.preblocked).map(([reason, count]): [string, number] => [
      t(`skip_reason.${reason}`),
      count,
    ]),
  ]
  return (
    <div className={classes.count} aria-live="polite">
      <div>
        <span className={classes.countTotal}>{format.number(data.estimated_volume)}</span>{' '}
        {t('campaigns.count.reached', { total: format.number(data.total) })}
      </div>
      {left.some(([, count]) => count > 0) && (
        <ul className={classes.countList}>
          {left
            .filter(([, count]) => count > 0)
            .map(([reason, count]) => (
              <li key={reason}>
                <span>{reason}</span>
                <span>−{format.number(count)}</span>
              </li>
            ))}
        </ul>
      )}
    </div>
  )
}
