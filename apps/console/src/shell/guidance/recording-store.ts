import type { TourStep } from '@emma/contract/resources/guided-tour.ts'
import { tourStep } from '@emma/contract/resources/guided-tour.ts'
import { useSyncExternalStore } from 'react'
import { z } from 'zod'

const key = 'tour-recording'

const recordingShape = z.object({ tourId: z.int(), name: z.string(), steps: z.array(tourStep) })

/** A tour being recorded. Kept in session storage, so that it survives a reload. */
export type Recording = z.infer<typeof recordingShape>

let current = stored()
const listeners = new Set<() => void>()

export const recordingStore = {
  get: (): Recording | null => current,
  start: (tour: { id: number; name: string }): void => set({ tourId: tour.id, name: tour.name, steps: [] }),
  add: (step: TourStep): void => {
    if (current) set({ ...current, steps: [...current.steps, step] })
  },
  drop: (index: number): void => {
    if (current) set({ ...current, steps: current.steps.filter((_, at) => at !== index) })
  },
  /** Ends the recording and returns its steps. */
  take: (): readonly TourStep[] => {
    const steps = current?.steps ?? []
    set(null)
    return steps
  },
}

export function useRecording(): Recording | null {
  return useSyncExternalStore(
    listener => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => current,
  )
}

function set(next: Recording | null): void {
  current = next
  if (next === null) sessionStorage.removeItem(key)
  else sessionStorage.setItem(key, JSON.stringify(next))
  for (const listener of listeners) listener()
}

function stored(): Recording | null {
  try {
    return recordingShape.parse(JSON.parse(sessionStorage.getItem(key) ?? 'null'))
  } catch {
    return null
  }
}
