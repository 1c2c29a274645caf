import { isConsolePath } from '@emma/contract/console-path.ts'
import DOMPurify from 'dompurify'
import { type AnyRouter, useRouter } from '@tanstack/react-router'
import { type MouseEvent, type ReactNode, useMemo } from 'react'
import classes from './clean-html.module.css'

/**
 * Renders HTML written by users, e.g. of messages and articles. The server has sanitized it; it is sanitized again
 * here. Links to screens of the console are followed by the router, without a reload.
 */
export function CleanHtml({ html, isSmall }: { html: string; isSmall?: boolean }): ReactNode {
  // Undefined on the login page, where links load their page.
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
    // The links inside are focusable; this only handles clicks that bubble from them.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions
    <div
      className={classes.text}
      data-small={isSmall || undefined}
      onClick={follow}
      dangerouslySetInnerHTML={clean}
    />
  )
}
