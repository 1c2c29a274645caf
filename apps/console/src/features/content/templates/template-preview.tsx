import type { renderedMessage } from '@emma/contract/actions/content.ts'
import { BlockSkeleton } from '@emma/ui/feedback/skeletons.tsx'
import { MailPreview } from '@emma/ui/mail-preview/mail-preview.tsx'
import { Alert } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { errorText } from '../../../shell/i18n/error-text.ts'
import classes from '../content.module.css'
import { PreviewWaits } from '../../../shell/resource/preview-waits.tsx'
import { FaultList } from './fault-list.tsx'
import type { TemplateFault } from './template-faults.ts'

interface TemplatePreviewProps {
  /** The last successful rendering; null before the first. */
  mail: z.infer<typeof renderedMessage> | null
  error: unknown
  /** False: the canvas shows the mail, and only its faults are listed. */
  hasPreview?: boolean
  /** The server is busy; the request is retried. */
  isWaiting: boolean
  faults: readonly TemplateFault[]
  preheader?: string | null
  /** A page: no subject, and no text part. */
  isPage?: boolean
  /** Content beside the switch of the views: the choice of the member. */
  tools?: ReactNode
  onGo: (fault: TemplateFault) => void
  /** What repairs a fault. */
  fixesOf?: ((fault: TemplateFault) => ReactNode) | undefined
}

const pageViews = ['desktop', 'mobile', 'dark'] as const

/** Preview of the current, possibly unsaved template for a member, with its faults. */
export function TemplatePreview(props: TemplatePreviewProps): ReactNode {
  const { mail, error, hasPreview = true, isWaiting, faults, preheader, isPage = false, tools, onGo } = props
  const { t } = useTranslation()
  return (
    <div className={classes.stack}>
      {error !== null && (
        <Alert color="red" icon={<IconAlertTriangle size={18} />} title={t('content.message.broken')}>
          {faults.length === 0 ? errorText(error) : t('content.message.broken_text')}
        </Alert>
      )}
      {isWaiting && <PreviewWaits />}
      <FaultList faults={faults} onGo={onGo} fixesOf={props.fixesOf} />
      {mail && (
        <div className={classes.mail} data-old={error !== null || undefined}>
          <MailPreview
            html={mail.html === '' ? null : mail.html}
            text={mail.text}
            {...(isPage ? { views: pageViews } : { subject: mail.subject })}
            {...(preheader ? { preheader } : {})}
            height="min(62vh, 620px)"
            allowsRemote
            tools={tools}
          />
        </div>
      )}
      {hasPreview && !mail && error === null && <BlockSkeleton height={520} />}
    </div>
  )
}
