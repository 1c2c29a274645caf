import { useQuery } from '@tanstack/react-query'
import { lazyComponent } from '@emma/ui/lazy-component.tsx'
import { type ReactNode, useEffect, useState } from 'react'
import { useSocketMessage, useSocketOpen } from '../notifications/socket-provider.tsx'
import { guidanceQuery, refreshGuidance } from './guidance-query.ts'
import { HelpDrawer } from './help-drawer.tsx'
import { isModal, MotdArea } from './motd-area.tsx'
import { useRecording } from './recording-store.ts'
import { useAutoplay } from './use-tours.ts'

/** Only superadmins record tours, and rarely. */
const TourRecorder = lazyComponent(
  async () => (await import('./tour-recorder.tsx')).TourRecorder,
  () => null,
)

/** Longest wait a timer can take. */
const longestWait = 2 ** 31 - 1

/** What the console tells a person by itself: messages of the day, tours, help for the screen. */
export function GuidanceArea(): ReactNode {
  const { data } = useQuery(guidanceQuery)
  const [closed, setClosed] = useState<readonly number[]>([])
  const messages = data?.messages.filter(({ id }) => !closed.includes(id)) ?? []
  const recording = useRecording()
  useSocketMessage('MOTD', () => void refreshGuidance())
  // What was told before it stood, or while it was gone.
  useSocketOpen(() => void refreshGuidance())
  useRefreshAt(data?.changes_at ?? null)
  useAutoplay(data?.tours ?? [], !messages.some(isModal) && recording === null)
  return (
    <>
      <MotdArea messages={messages} onClose={id => setClosed(current => [...current, id])} />
      <HelpDrawer tours={data?.tours ?? []} />
      {recording && <TourRecorder recording={recording} />}
    </>
  )
}

/** Asks again when a planned message begins, or one that is shown ends. */
function useRefreshAt(instant: string | null): void {
  useEffect(() => {
    if (instant === null) return undefined
    // A second later, so that the server's clock is past it.
    const wait = Date.parse(instant) - Date.now() + 1000
    const timer = setTimeout(() => void refreshGuidance(), Math.min(Math.max(wait, 1000), longestWait))
    return () => clearTimeout(timer)
  }, [instant])
}
