import { Timeline, type TimelineEntry } from '@emma/ui/layout/timeline.tsx'
import type { Tone } from '@emma/ui/layout/status-badge.tsx'
import {
  IconAlertOctagon,
  IconCursorText,
  IconEye,
  IconInbox,
  IconMailX,
  IconRobot,
  IconUserMinus,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { groupEvents, type EventGroup } from '../reply-rules/grouped-events.ts'
import classes from './testbed.module.css'
import type { TestbedMail } from './testbed-mail.ts'

const looks: Record<string, { icon: ReactNode; tone: Tone }> = {
  open: { icon: <IconEye />, tone: 'info' },
  click: { icon: <IconCursorText />, tone: 'positive' },
  scan: { icon: <IconRobot />, tone: 'neutral' },
  'unsubscribe-post': { icon: <IconUserMinus />, tone: 'caution' },
  'unsubscribe-mail': { icon: <IconUserMinus />, tone: 'caution' },
  complaint: { icon: <IconAlertOctagon />, tone: 'negative' },
  dsn: { icon: <IconMailX />, tone: 'negative' },
}

/** Timeline of a message in the testbed: arrival, opens, clicks, and replies sent back. */
export function TestbedEvents({ mail }: { mail: TestbedMail }): ReactNode {
  const { t } = useTranslation()
  const text = (key: string, values = {}) => t(`deliverability.testbed.${key}`, values)
  const arrival: TimelineEntry = {
    id: 'arrival',
    at: mail.receivedAt,
    title: text('arrived', { folder: text(`folders.${mail.folder}`, { defaultValue: mail.folder }) }),
    icon: <IconInbox />,
    tone: 'positive',
  }
  const entries = groupEvents(mail.events).map((happening): TimelineEntry => {
    const { kind, agent, at, events } = happening
    return {
      id: events[0].id,
      at,
      title: (
        <>
          {text(`events.${kind}`, { defaultValue: kind, count: events.length })}
          <span className={classes.agent}> · {text(`agents.${agent}`, { defaultValue: agent })}</span>
        </>
      ),
      text: <Targets happening={happening} />,
      ...looks[kind],
    }
  })
  return (
    <>
      <Timeline label={text('happened')} entries={[arrival, ...entries]} />
      {entries.length === 0 && <p className={classes.hint}>{text('nothing_yet')}</p>}
    </>
  )
}

function Targets({ happening: { kind, events } }: { happening: EventGroup }): ReactNode {
  const { t } = useTranslation()
  return (
    <ul className={classes.targets}>
      {events.map(({ id, target, status, detail }) => {
        const answer = answerOf(kind, status)
        // The URL of the open pixel is not shown; that of a link is.
        const place = kind === 'open' ? '' : visits.has(kind) ? detail || target : target
        return (
          <li key={id}>
            {place && <span>{place}</span>}
            {answer && <span>{t(`deliverability.testbed.answers.${answer}`, { status })}</span>}
          </li>
        )
      })}
    </ul>
  )
}

const visits = new Set(['open', 'click', 'scan', 'unsubscribe-post'])

/** Result of an event: always shown for messages sent back, for requests only on failure. */
function answerOf(
  kind: string,
  status: number | null,
): 'unknown' | 'none' | 'wrong' | 'taken' | 'refused' | null {
  if (status === null) return 'unknown'
  if (status === 0) return 'none'
  if (visits.has(kind)) return status < 400 ? null : 'wrong'
  return status < 300 ? 'taken' : 'refused'
}
