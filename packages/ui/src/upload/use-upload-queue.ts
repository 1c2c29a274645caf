import { useEffect, useRef, useState } from 'react'
import { useUiSettings } from '../ui-settings.tsx'

export interface UploadItem {
  id: string
  file: File
  state: 'waiting' | 'sending' | 'paused' | 'done' | 'failed' | 'refused'
  /** From 0 to 1. */
  share: number
  /** Error message or note. */
  message: string
}

export interface UploadQueue {
  items: readonly UploadItem[]
  /** Adds files; `refusal` is null if the file may be uploaded. */
  add: (files: readonly { file: File; refusal: string | null; note: string }[], replaces: boolean) => void
  /** Cancels the upload; `resume` starts it again from the beginning. */
  pause: (id: string) => void
  /** Uploads the file again, after a pause or a failure. */
  resume: (id: string) => void
  /** Removes the file and cancels its upload. */
  remove: (id: string) => void
}

export type SendFile = (
  file: File,
  options: { onProgress: (share: number) => void; signal: AbortSignal },
) => Promise<unknown>

/** Counter for ids of files; `crypto.randomUUID` requires a secure context. */
let taken = 0

/** Queue that uploads files one after the other, so that they do not share the bandwidth. */
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
      // If it was aborted, the caller has set the state.
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
