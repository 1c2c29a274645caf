import { isConsolePath } from '@emma/contract/console-path.ts'
import DOMPurify from 'dompurify'
import { type AnyRouter, useRouter } from '@tanstack/react-router'
import { type MouseEvent, type ReactNode, useMemo } from 'react'
import classes from './clean-html.module.css'

/**
 * Text that somebody wrote for the console: a message, an article. The server has cleaned it already; here it is
 * cleaned once more, so that nothing in between can bring script into the page. Links to the console's own screens
 * open without loading it anew.
 */
export function CleanHtml({ html, isSmall }: { html: string; isSmall?: boolean }): ReactNode {
  // Before the login there is none, and a link leads away like any other.
  const router: AnyRouter | undefined = useRouter({ warn: false })
  const clean = useMemo(
    () => ({
      __html: DOMPurify.sanitize(html, {
        USE_PROFILES: { html: true },
        FORBID_TAGS: ['form', 'input', 'button', 'style'],
        FORBID_ATTR: ['style'],
        ADD_ATTR: ['target'],
      }),
    }),
    [html],
  )

  function follow(event: MouseEvent<HTMLDivElement>): void {
    const link = event.target instanceof Element ? event.target.closest('a') : null
    const path = link?.getAttribute('href')
    if (!router || !path || !isConsolePath(path) || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    router.history.push(path)
  }

  return (
    // The links in it take the keyboard; a click that bubbles from them is all this listens to.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions
    <div
      className={classes.text}
      data-small={isSmall || undefined}
      onClick={follow}
      dangerouslySetInnerHTML={clean}
    />
  )
}
