import { MOST_QUEUE_COUNTED } from '@emma/contract/actions/campaign-queue.ts'
import { useFormat } from '@emma/ui/i18n.tsx'
import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { usePermission } from '../../../shell/session/use-session.ts'

interface RecipientsLinkProps {
  campaign: { campagne_id: number }
  count: number
  /** Title of the list. */
  title: string
  /** Filter of the recipients in the report. */
  who: Record<string, string | number>
}

/** A number that opens the recipients it counts, in the report; plain text if 0 or without permission for members. */
export function RecipientsLink({ campaign, count, title, who }: RecipientsLinkProps): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const mayRead = usePermission({ all: ['EmmaReport:get', 'EmmaMember:get'] })
  const text =
    count >= MOST_QUEUE_COUNTED
      ? t('campaigns.queue.more_than', { number: format.number(count) })
      : format.number(count)
  if (count === 0 || !mayRead) return text
  return (
    <Anchor
      renderRoot={props => (
        <Link
          to={`/campaigns/reports/${campaign.campagne_id}`}
          search={{ people: { title, who } }}
          {...props}
        />
      )}
      size="sm"
      fw={500}
      aria-label={`${title}: ${text}`}
    >
      {text}
    </Anchor>
  )
}
