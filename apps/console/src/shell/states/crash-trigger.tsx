import { type ReactNode, useEffect, useState } from 'react'

/**
 * Lets developers open the crash screen: with `debug` set to `on` in session storage, the event `emma:crash` throws
 * during render.
 */
export function CrashTrigger(): ReactNode {
  const [reason, setReason] = useState<string | null>(null)
  useEffect(() => {
    if (sessionStorage.getItem('debug') !== 'on') return undefined
    const crash = (event: Event) => setReason(event instanceof CustomEvent ? String(event.detail) : '')
    addEventListener('emma:crash', crash)
    return () => removeEventListener('emma:crash', crash)
  }, [])
  if (reason !== null) throw new Error(reason)
  return null
}
