import { useQuery } from '@tanstack/react-query'
import { lazyComponent } from '@emma/ui/lazy-component.tsx'
import { type ReactNode, useEffect, useState } from 'react'
import { useSocketMessage, useSocketOpen } from '../notifications/socket-provider.tsx'
import { DueNotice } from './due-notice.tsx'
import { guidanceQuery, refreshGuidance } from './guidance-query.ts'
import { HelpDrawer } from './help-drawer.tsx'
import { isModal, MotdArea } from './motd-area.tsx'
import { useRecording } from './recording-store.ts'
import { useAutoplay } from './use-tours.ts'

/** Loaded on demand: only superadmins record tours. */
const TourRecorder = lazyComponent(
  async () => (await import('./tour-recorder.tsx')).TourRecorder,
  () => null,
)

/** Maximum delay of `setTimeout` in ms. */
const longestWait = 2 ** 31 - 1

/** Shows documents to confirm, messages of the day, guided tours and the help for the current screen. */
export function GuidanceArea(): ReactNode {
  const { data } = useQuery(guidanceQuery)
  const [closed, setClosed] = useState<readonly number[]>([])
  const messages = data?.messages.filter(({ id }) => !closed.includes(id)) ?? []
  const recording = useRecording()
  useSocketMessage('MOTD', () => void refreshGuidance())
  // Messages may have been sent before the connection was open.
  useSocketOpen(() => void refreshGuidance())
  useRefreshAt(data?.changes_at ?? null)
  useAutoplay(data?.tours ?? [], !messages.some(isModal) && recording === null)
  return (
    <>
      <DueNotice />
      <MotdArea messages={messages} onClose={id => setClosed(current => [...current, id])} />
      <HelpDrawer tours={data?.tours ?? []} />
      {recording && <TourRecorder recording={recording} />}
    </>
  )
}

/** Refetches when a scheduled message starts or a shown one ends. */
function useRefreshAt(instant: string | null): void {
  useEffect(() => {
    if (instant === null) return undefined
    // One second later, to allow for clock differences with the server.
    const wait = Date.parse(instant) - Date.now() + 1000
    const timer = setTimeout(() => void refreshGuidance(), Math.min(Math.max(wait, 1000), longestWait))
    return () => clearTimeout(timer)
  }, [instant])
}
