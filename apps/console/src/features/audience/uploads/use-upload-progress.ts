import { dataupload } from '@emma/contract/resources/dataupload.ts'
import { useState } from 'react'
import { refresh } from '../../../shell/resource/record-calls.ts'
import { useSocketMessage } from '../../../shell/notifications/socket-provider.tsx'

export interface UploadProgress {
  done: number
  total: number | null
  /** Time of the message, in ms since 1970. */
  at: number
}

/** Live progress of running imports, or of their undo, by upload id. Invalidates uploads when one ends. */
export function useUploadProgress(
  job: 'upload' | 'undo-upload' = 'upload',
): ReadonlyMap<number, UploadProgress> {
  const [progress, setProgress] = useState<ReadonlyMap<number, UploadProgress>>(new Map())
  useSocketMessage('JOB_PROGRESS', ({ id, state, done, total }) => {
    const [, name, number] = /^((?:undo-)?upload)-(\d+)$/.exec(String(id)) ?? []
    const upload = name === job ? Number(number) : Number.NaN
    if (!Number.isInteger(upload)) return
    if (state === 'running') {
      setProgress(current => new Map(current).set(upload, { done, total, at: Date.now() }))
      return
    }
    setProgress(current => new Map([...current].filter(([key]) => key !== upload)))
    void refresh(dataupload)
  })
  return progress
}
