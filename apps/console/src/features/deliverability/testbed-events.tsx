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
import { gathered, type Happening } from './gathered-events.ts'
import type { TestbedMail } from './testbed-message-view.tsx'
import classes from './testbed.module.css'

const looks: Record<string, { icon: ReactNode; tone: Tone }> = {
  open: { icon: <IconEye />, tone: 'info' },
  click: { icon: <IconCursorText />, tone: 'positive' },
  scan: { icon: <IconRobot />, tone: 'neutral' },
  'unsubscribe-post': { icon: <IconUserMinus />, tone: 'caution' },
  'unsubscribe-mail': { icon: <IconUserMinus />, tone: 'caution' },
  complaint: { icon: <IconAlertOctagon />, tone: 'negative' },
  dsn: { icon: <IconMailX />, tone: 'negative' },
}

/** What became of a mail since it arrived: who looked at it, what was clicked, and what came back. */
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
  const entries = gathered(mail.events).map((happening): TimelineEntry => {
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

function Targets({ happening: { kind, events } }: { happening: Happening }): ReactNode {
  const { t } = useTranslation()
  const text = (key: string, values = {}) => t(`deliverability.testbed.${key}`, values)
  return (
    <ul className={classes.targets}>
      {events.map(({ id, target, status, detail }) => (
        <li key={id}>
          {/* Where a redirect led is what the reader wanted. */}
          <span>{kind === 'click' || kind === 'scan' ? detail || target : target}</span>
          <span>{answerText(status, kind, text)}</span>
        </li>
      ))}
    </ul>
  )
}

function answerText(
  status: number | null,
  kind: string,
  text: (key: string, values?: object) => string,
): string {
  if (status === null) return text('answers.unknown')
  if (status === 0) return text('answers.none')
  // SMTP 2xx and HTTP 2xx and 3xx: it went well.
  const isMail = kind === 'complaint' || kind === 'dsn' || kind === 'unsubscribe-mail'
  if (isMail) return text(status < 300 ? 'answers.taken' : 'answers.refused', { status })
  return text(status < 400 ? 'answers.right' : 'answers.wrong', { status })
}
