import { ActionIcon, Button, Progress } from '@mantine/core'
import { IconCircleCheck, IconRefresh, IconUpload, IconX } from '@tabler/icons-react'
import { type DragEvent, type ReactNode, useRef, useState } from 'react'
import { useUiSettings } from '../ui-settings.tsx'
import { useFormat, useSay } from '../words.tsx'
import { type FileRules, fileFault } from './file-check.ts'
import classes from './upload.module.css'

export interface UploadBoxProps<T> extends FileRules {
  /** Sends the file; `onProgress` takes the share from 0 to 1. The client's `upload` fits. */
  upload: (file: File, options: { onProgress: (share: number) => void; signal: AbortSignal }) => Promise<T>
  onUploaded: (answer: T, file: File) => void
  /** Several files, one after the other. */
  isMultiple?: boolean
  isDisabled?: boolean
  /** Further words below the limits. */
  hint?: ReactNode
}

interface Item {
  id: string
  file: File
  state: 'sending' | 'done' | 'failed' | 'refused'
  share: number
  message: string
}

/** A place to drop files or choose them: checked, sent with progress, cancelled, tried again. */
export function UploadBox<T>(props: UploadBoxProps<T>): ReactNode {
  const { accept, maxSize, upload, onUploaded, isMultiple = false, isDisabled = false, hint } = props
  const say = useSay()
  const format = useFormat()
  const { errorText } = useUiSettings()
  const input = useRef<HTMLInputElement>(null)
  const stops = useRef(new Map<string, AbortController>())
  const [items, setItems] = useState<readonly Item[]>([])
  const [isOver, setOver] = useState(false)
  const types = accept.join(', ')

  function change(id: string, part: Partial<Item>): void {
    setItems(current => current.map(item => (item.id === id ? { ...item, ...part } : item)))
  }

  function refusal(file: File): string | null {
    const fault = fileFault(file, { accept, maxSize })
    if (fault === 'too_large') {
      return say('upload.too_large', { name: file.name, size: format.bytes(maxSize) })
    }
    return fault === 'wrong_type' ? say('upload.wrong_type', { name: file.name, types }) : null
  }

  async function take(files: readonly File[]): Promise<void> {
    const wanted = isMultiple ? files : files.slice(0, 1)
    const added = wanted.map((file): Item => {
      const message = refusal(file)
      return {
        id: crypto.randomUUID(),
        file,
        state: message === null ? 'sending' : 'refused',
        share: 0,
        message: message ?? (files.length > wanted.length ? say('upload.too_many') : ''),
      }
    })
    setItems(current => (isMultiple ? [...current, ...added] : added))
    for (const item of added) if (item.state === 'sending') await send(item)
  }

  async function send(item: Item): Promise<void> {
    const stop = new AbortController()
    stops.current.set(item.id, stop)
    change(item.id, { state: 'sending', share: 0, message: '' })
    try {
      const answer = await upload(item.file, {
        onProgress: share => change(item.id, { share }),
        signal: stop.signal,
      })
      change(item.id, { state: 'done', share: 1 })
      onUploaded(answer, item.file)
    } catch (error) {
      if (stop.signal.aborted) setItems(current => current.filter(other => other.id !== item.id))
      else change(item.id, { state: 'failed', message: errorText(error) })
    } finally {
      stops.current.delete(item.id)
    }
  }

  function drop(event: DragEvent): void {
    event.preventDefault()
    setOver(false)
    if (!isDisabled) void take([...event.dataTransfer.files])
  }

  return (
    <div className={classes.upload}>
      <div
        className={classes.zone}
        data-over={isOver || undefined}
        data-disabled={isDisabled || undefined}
        onDragOver={event => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <IconUpload size={22} stroke={1.5} aria-hidden />
        <Button variant="default" disabled={isDisabled} onClick={() => input.current?.click()}>
          {say(isMultiple ? 'upload.drop_many' : 'upload.drop')}
        </Button>
        <input
          ref={input}
          className={classes.input}
          type="file"
          tabIndex={-1}
          aria-label={say(isMultiple ? 'upload.drop_many' : 'upload.drop')}
          accept={types}
          multiple={isMultiple}
          disabled={isDisabled}
          onChange={event => {
            void take([...(event.currentTarget.files ?? [])])
            // The same file can be chosen again after it was corrected.
            event.currentTarget.value = ''
          }}
        />
        <div className={classes.limits}>
          {say('upload.limits', { size: format.bytes(maxSize), types: types || '*' })}
        </div>
        {hint && <div className={classes.limits}>{hint}</div>}
      </div>
      <ul className={classes.items} aria-live="polite">
        {items.map(item => (
          <UploadItem
            key={item.id}
            item={item}
            onCancel={() => stops.current.get(item.id)?.abort()}
            onRetry={() => void send(item)}
          />
        ))}
      </ul>
    </div>
  )
}

function UploadItem(props: { item: Item; onCancel: () => void; onRetry: () => void }): ReactNode {
  const { item, onCancel, onRetry } = props
  const say = useSay()
  const format = useFormat()
  const { name } = item.file
  const isFaulty = item.state === 'failed' || item.state === 'refused'
  return (
    <li className={classes.item} data-faulty={isFaulty || undefined}>
      {item.state === 'done' && <IconCircleCheck className={classes.done} size={18} aria-hidden />}
      <div className={classes.itemText}>
        <span className={classes.name}>
          {name} <span className={classes.limits}>{format.bytes(item.file.size)}</span>
        </span>
        {item.state === 'sending' && (
          <Progress
            size="sm"
            value={item.share * 100}
            aria-label={say('upload.progress', { name, percent: format.percent(item.share, 0) })}
          />
        )}
        {item.state === 'failed' && <span>{say('upload.failed', { name })}</span>}
        {item.message !== '' && <span>{item.message}</span>}
        {item.state === 'done' && <span className={classes.hidden}>{say('upload.done', { name })}</span>}
      </div>
      {item.state === 'sending' && (
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={say('upload.cancel', { name })}
          onClick={onCancel}
        >
          <IconX size={16} aria-hidden />
        </ActionIcon>
      )}
      {item.state === 'failed' && (
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={say('upload.retry', { name })}
          onClick={onRetry}
        >
          <IconRefresh size={16} aria-hidden />
        </ActionIcon>
      )}
    </li>
  )
}
