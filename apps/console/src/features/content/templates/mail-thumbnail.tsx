import { prepareMail } from '@emma/ui/mail-preview/prepare-mail.ts'
import { useElementSize } from '@mantine/hooks'
import { IconMail } from '@tabler/icons-react'
import { type ReactNode, useMemo, useState } from 'react'
import classes from '../content.module.css'

/** Layout width of the message before scaling, in px. */
const mailWidth = 680

/** Extends the background color of short messages to the lower edge. */
const filled = '<style>body{min-height:100vh;box-sizing:border-box}</style>'

/** The picture of a mail; `children` while it cannot be loaded, for a picture that was replaced. */
export function MailPicture({ url, children }: { url: string; children: ReactNode }): ReactNode {
  const [failed, setFailed] = useState<string | null>(null)
  if (failed === url) return children
  return (
    <div className={classes.thumbnail} aria-hidden>
      <img src={url} alt="" loading="lazy" onError={() => setFailed(url)} />
    </div>
  )
}

/** Scaled-down top of a message in a sandboxed, inert iframe; an envelope icon without HTML. */
export function MailThumbnail({ html }: { html: string | null }): ReactNode {
  const { ref, width, height } = useElementSize()
  const document = useMemo(
    () => (html === null ? null : prepareMail(html + filled, { scheme: 'light', allowsRemote: true })),
    [html],
  )
  const scale = width / mailWidth
  return (
    <div ref={ref} className={classes.thumbnail} aria-hidden>
      {document === null || width === 0 ? (
        <IconMail size={28} stroke={1.2} />
      ) : (
        <iframe
          title=""
          tabIndex={-1}
          sandbox=""
          scrolling="no"
          referrerPolicy="no-referrer"
          loading="lazy"
          srcDoc={document}
          style={{ width: mailWidth, height: height / scale, transform: `scale(${scale})` }}
        />
      )}
    </div>
  )
}
