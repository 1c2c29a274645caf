import { Button, SegmentedControl } from '@mantine/core'
import { type ReactNode, useMemo, useState } from 'react'
import { useTranslate } from '../i18n.tsx'
import classes from './mail-preview.module.css'
import { hasRemoteContent, type MailScheme, prepareMail } from './prepare-mail.ts'

export type PreviewMode = 'desktop' | 'mobile' | 'dark' | 'inverted' | 'imageless' | 'text'

const modes = [
  'desktop',
  'mobile',
  'dark',
  'inverted',
  'imageless',
  'text',
] as const satisfies readonly PreviewMode[]

export interface MailPreviewProps {
  html: string | null
  text: string | null
  subject?: string
  preheader?: string
  from?: string
  /** In px, or any CSS height. */
  height?: number | string
  /** Loads remote images without asking: for own templates, not for received messages. */
  allowsRemote?: boolean
  /** Offered views, if the text part is shown elsewhere. */
  views?: readonly PreviewMode[]
  /** Content beside the switch, e.g. a select of the recipient. */
  tools?: ReactNode
}

/** Safe preview of a message: a sandboxed frame without scripts, links or remote content. */
export function MailPreview(props: MailPreviewProps): ReactNode {
  const { html, text, subject, preheader, from, height = 560, views = modes, tools } = props
  const t = useTranslate()
  const [mode, setMode] = useState<PreviewMode>('desktop')
  const [wantsRemote, setWantsRemote] = useState(false)
  const allowsRemote = props.allowsRemote === true || wantsRemote
  const showsImages = mode !== 'text' && mode !== 'imageless'
  const isBlocked = showsImages && html !== null && !allowsRemote && hasRemoteContent(html)
  return (
    <section className={classes.preview} aria-label={t('preview.title')}>
      <div className={classes.bar}>
        <div className={classes.modes}>
          <SegmentedControl
            size="xs"
            aria-label={t('preview.mode')}
            data={views.map(value => ({ value, label: t(`preview.${value}`) }))}
            value={mode}
            onChange={chosen => setMode(modes.find(known => known === chosen) ?? 'desktop')}
          />
        </div>
        {tools && <div className={classes.tools}>{tools}</div>}
      </div>
      {(subject !== undefined || from !== undefined) && (
        <div className={classes.envelope}>
          {from !== undefined && (
            <div className={classes.from}>
              <span className={classes.name}>{t('preview.from')}</span> <span>{from}</span>
            </div>
          )}
          <div>
            <span className={classes.name}>{t('preview.subject')}</span>{' '}
            <span>
              <strong>{subject}</strong>
              {preheader && <span className={classes.preheader}> {preheader}</span>}
            </span>
          </div>
        </div>
      )}
      {isBlocked && (
        <div className={classes.notice} role="status">
          {t('preview.images_blocked')}
          <Button size="compact-xs" variant="default" onClick={() => setWantsRemote(true)}>
            {t('preview.images_show')}
          </Button>
        </div>
      )}
      <div className={classes.stage} data-mode={mode} style={{ height }}>
        {mode === 'text' ? (
          <TextPart text={text} />
        ) : (
          <HtmlPart html={html} scheme={schemeOf(mode)} allowsRemote={allowsRemote && showsImages} />
        )}
      </div>
    </section>
  )
}

function schemeOf(mode: PreviewMode): MailScheme {
  return mode === 'dark' || mode === 'inverted' ? mode : 'light'
}

function HtmlPart(props: { html: string | null; scheme: MailScheme; allowsRemote: boolean }): ReactNode {
  const { html, scheme, allowsRemote } = props
  const t = useTranslate()
  const document = useMemo(
    () => (html === null ? '' : prepareMail(html, { scheme, allowsRemote })),
    [html, scheme, allowsRemote],
  )
  if (html === null) return <p className={classes.nothing}>{t('preview.no_html')}</p>
  return (
    <iframe
      className={classes.frame}
      title={t('preview.title')}
      sandbox=""
      referrerPolicy="no-referrer"
      srcDoc={document}
      style={{ colorScheme: scheme === 'dark' ? 'dark' : 'light' }}
    />
  )
}

function TextPart({ text }: { text: string | null }): ReactNode {
  const t = useTranslate()
  if (text === null || text.trim() === '') return <p className={classes.nothing}>{t('preview.no_text')}</p>
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls needs the keyboard
    <pre className={classes.text} tabIndex={0}>
      {text}
    </pre>
  )
}
