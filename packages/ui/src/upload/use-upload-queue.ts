import { useEffect, useRef, useState } from 'react'
import { useUiSettings } from '../ui-settings.tsx'

export interface UploadItem {
  id: string
  file: File
  state: 'waiting' | 'sending' | 'paused' | 'done' | 'failed' | 'refused'
  /** From 0 to 1. */
  share: number
  /** What went wrong, or a note. */
  message: string
}

export interface UploadQueue {
  items: readonly UploadItem[]
  /** Adds files; `null` instead of the message: it may be sent. */
  add: (files: readonly { file: File; refusal: string | null; note: string }[], replaces: boolean) => void
  /** Stops sending it; it begins anew with `resume`. */
  pause: (id: string) => void
  /** Sends it again: after a pause or a failure. */
  resume: (id: string) => void
  /** Takes it off the list, whatever it was doing. */
  remove: (id: string) => void
}

export type SendFile = (
  file: File,
  options: { onProgress: (share: number) => void; signal: AbortSignal },
) => Promise<unknown>

/** Files taken so far: numbers them. `crypto.randomUUID` is there on secure origins only. */
let taken = 0

/** Files on their way, one after the other: a slow line is not shared by all of them. */
export function useUploadQueue(send: SendFile): UploadQueue {
  const { errorText } = useUiSettings()
  const [items, setItems] = useState<readonly UploadItem[]>([])
  const stops = useRef(new Map<string, AbortController>())
  const next = items.some(item => item.state === 'sending')
    ? undefined
    : items.find(item => item.state === 'waiting')

  function change(id: string, part: Partial<UploadItem>): void {
    setItems(current => current.map(item => (item.id === id ? { ...item, ...part } : item)))
  }

  async function begin({ id, file }: UploadItem): Promise<void> {
    const stop = new AbortController()
    stops.current.set(id, stop)
    change(id, { state: 'sending', share: 0, message: '' })
    try {
      await send(file, { onProgress: share => change(id, { share }), signal: stop.signal })
      change(id, { state: 'done', share: 1 })
    } catch (error) {
      // Whoever stopped it has said what it is now.
      if (!stop.signal.aborted) change(id, { state: 'failed', message: errorText(error) })
    } finally {
      if (stops.current.get(id) === stop) stops.current.delete(id)
    }
  }

  useEffect(() => {
    if (next) void begin(next)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- a file is begun once, when it is its turn
  }, [next?.id])

  return {
    items,
    add: (files, replaces) => {
      const added = files.map(
        ({ file, refusal, note }): UploadItem => ({
          id: `upload-${++taken}`,
          file,
          state: refusal === null ? 'waiting' : 'refused',
          share: 0,
          message: refusal ?? note,
        }),
      )
      setItems(current => (replaces ? added : [...current, ...added]))
    },
    pause: id => {
      stops.current.get(id)?.abort()
      change(id, { state: 'paused' })
    },
    resume: id => change(id, { state: 'waiting', share: 0, message: '' }),
    remove: id => {
      stops.current.get(id)?.abort()
      setItems(current => current.filter(item => item.id !== id))
    },
  }
}
