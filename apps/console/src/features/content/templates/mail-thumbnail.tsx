import { prepareMail } from '@emma/ui/mail-preview/prepare-mail.ts'
import { useElementSize } from '@mantine/hooks'
import { IconMail } from '@tabler/icons-react'
import { type ReactNode, useMemo } from 'react'
import classes from '../content.module.css'

/** The width a mail is laid out for before it is made small, in px. */
const mailWidth = 680

/** The colour of a short mail goes down to the edge. */
const filled = '<style>body{min-height:100vh;box-sizing:border-box}</style>'

/** The top of a mail, made small: a sandboxed frame nobody can enter. Without HTML a drawn envelope. */
export function MailThumbnail({ html }: { html: string | null }): ReactNode {
  const { ref, width, height } = useElementSize()
  const document = useMemo(
    () => (html === null ? null : prepareMail(html + filled, { isDark: false, allowsRemote: true })),
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
