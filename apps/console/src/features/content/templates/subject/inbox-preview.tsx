import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../../../shell/session/use-session.ts'
import classes from './subject.module.css'

interface InboxPreviewProps {
  subject: string
  preheader: string
}

/** Subject and preheader as a phone's inbox shows them: one line and two, cut at their width. */
export function InboxPreview({ subject, preheader }: InboxPreviewProps): ReactNode {
  const { t } = useTranslation()
  const { client } = useSession()
  const sender = client?.name ?? ''
  return (
    <section className={classes.inbox} aria-label={t('content.subject.inbox')}>
      <span className={classes.initial} aria-hidden>
        {sender.slice(0, 1).toUpperCase()}
      </span>
      <div className={classes.entry}>
        <div className={classes.sender}>
          <strong>{sender}</strong>
          <span aria-hidden>9:41</span>
        </div>
        <div className={classes.subject}>{subject || t('content.subject.no_subject')}</div>
        <div className={classes.preheader}>{preheader || t('content.subject.no_preheader')}</div>
      </div>
    </section>
  )
}
