import type { memberActivity } from '@emma/contract/actions/audience.ts'
import type { Tone } from '@emma/ui/layout/status-badge.tsx'
import type { TimelineEntry } from '@emma/ui/layout/timeline.tsx'
import { Anchor } from '@mantine/core'
import {
  type Icon,
  IconAlertTriangle,
  IconBan,
  IconClick,
  IconClock,
  IconEye,
  IconMail,
  IconMailCheck,
  IconMailOff,
  IconMailQuestion,
  IconMessageReply,
  IconPencil,
  IconPlayerSkipForward,
  IconPoint,
  IconUserCheck,
  IconUserMinus,
  IconUserPlus,
} from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { useClassificationText } from '../../../shell/i18n/use-classification-text.ts'

type Activity = z.infer<(typeof memberActivity)['response']>['data'][number]

/** Returns a function that maps an event to a timeline entry: type, campaign and details. */
export function useActivityEntry(): (row: Activity, index: number) => TimelineEntry {
  const { t, i18n } = useTranslation()
  const sayHit = useClassificationText()
  return (row, index) => {
    const [Symbol, tone] = looks[row.type] ?? [IconPoint, 'neutral']
    const known = i18n.exists(`audience.activity.types.${row.type}`)
    return {
      id: index,
      at: row.ts ?? '',
      icon: <Symbol size={14} />,
      tone,
      title: (
        <>
          {known ? t(`audience.activity.types.${row.type}`) : row.type}
          {row.campagne_id !== null && (
            <>
              {' · '}
              <CampaignLink id={row.campagne_id} name={row.campaign_name} />
            </>
          )}
        </>
      ),
      text: evidence(row, { t, exists: i18n.exists, sayHit }),
    }
  }
}

function CampaignLink({ id, name }: { id: number; name: string | null }): ReactNode {
  return (
    <Anchor
      inherit
      underline="always"
      renderRoot={props => <Link to="/campaigns/reports/$id" params={{ id: String(id) }} {...props} />}
    >
      {name ?? `#${id}`}
    </Anchor>
  )
}

/** Details of an event: the link, the server's reply, the device, the reason. */
function evidence(
  row: Activity,
  {
    t,
    exists,
    sayHit,
  }: {
    t: (key: string) => string
    exists: (key: string) => boolean
    sayHit: ReturnType<typeof useClassificationText>
  },
): string | undefined {
  const word = (group: string, value: string) => {
    const key = `audience.activity.${group}.${value}`
    return exists(key) ? t(key) : value
  }
  const program = text(row['agent_client'])
  const origin = text(row['source'])
  const reason = detail(row['details'], 'reason')
  const parts = [
    row.url,
    row.skip_reason && word('reasons', row.skip_reason),
    row.reply,
    program ?? (row.device && word('devices', row.device)),
    row.verdict && sayHit(row.verdict, row.verdict_reason),
    originated.has(row.type) ? origin && word('sources', origin) : null,
    changedFields(row['details']),
    reason && `“${reason}”`,
    detail(row['details'], 'page'),
    consent(row['details'], word),
    isRequest.test(row.type) ? text(row['ip']) : null,
  ]
  const texts = parts.filter(part => typeof part === 'string' && part !== '')
  return texts.length > 0 ? texts.join(' · ') : undefined
}

/** Entries that say where they come from. */
const originated = new Set(['join', 'unsubscribe', 'edit', 'doi_request', 'doi_confirmed'])
const isRequest = /_(request|confirmed)$/

function text(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

function detail(details: unknown, name: string): string | null {
  return typeof details === 'object' && details !== null ? text(Reflect.get(details, name)) : null
}

/** The consent text that was shown, with its version. */
function consent(details: unknown, word: (group: string, value: string) => string): string | null {
  const shown = detail(details, 'consent')
  if (shown === null) return null
  const version = Reflect.get(Object(details), 'consent_version')
  return version === undefined ? shown : `${shown} (${word('labels', 'version')} ${String(version)})`
}

function changedFields(details: unknown): string | null {
  if (typeof details !== 'object' || details === null || !('fields' in details)) return null
  return Array.isArray(details.fields) ? details.fields.map(String).join(', ') : null
}

const looks: Readonly<Record<string, readonly [Icon, Tone]>> = {
  sent: [IconMail, 'info'],
  delivered: [IconMailCheck, 'info'],
  pending: [IconClock, 'neutral'],
  claimed: [IconClock, 'neutral'],
  deferred: [IconClock, 'caution'],
  rejected: [IconMailOff, 'negative'],
  unknown: [IconAlertTriangle, 'caution'],
  skipped: [IconPlayerSkipForward, 'neutral'],
  cancelled: [IconBan, 'neutral'],
  bounce: [IconMailOff, 'negative'],
  doi_request: [IconMailQuestion, 'info'],
  doi_confirmed: [IconUserCheck, 'positive'],
  address_request: [IconMailQuestion, 'info'],
  address_confirmed: [IconMailCheck, 'positive'],
  export_request: [IconMailQuestion, 'info'],
  export_confirmed: [IconMailCheck, 'info'],
  erasure_request: [IconMailQuestion, 'caution'],
  erasure_confirmed: [IconUserCheck, 'caution'],
  open: [IconEye, 'positive'],
  view: [IconEye, 'positive'],
  click: [IconClick, 'positive'],
  unsubscribe: [IconUserMinus, 'caution'],
  complaint: [IconAlertTriangle, 'negative'],
  auto_reply: [IconMessageReply, 'neutral'],
  join: [IconUserPlus, 'positive'],
  edit: [IconPencil, 'neutral'],
}
