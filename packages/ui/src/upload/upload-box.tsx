import { ActionIcon, Button, Progress } from '@mantine/core'
import {
  IconCircleCheck,
  IconPlayerPause,
  IconPlayerPlay,
  IconRefresh,
  IconUpload,
  IconX,
} from '@tabler/icons-react'
import { type DragEvent, type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useFormat, useTranslate } from '../i18n.tsx'
import { type FileRules, fileFault } from './file-check.ts'
import classes from './upload.module.css'
import { type UploadItem, type UploadQueue, useUploadQueue } from './use-upload-queue.ts'

export interface UploadBoxProps<T> extends FileRules {
  /** Uploads the file; `onProgress` takes a share from 0 to 1. The client's `upload` is assignable. */
  upload: (file: File, options: { onProgress: (share: number) => void; signal: AbortSignal }) => Promise<T>
  onUploaded: (answer: T, file: File) => void
  /** Allows several files, uploaded one after the other. */
  isMultiple?: boolean
  isDisabled?: boolean
  /** Takes files from the clipboard, wherever the focus is on the page except in a field. */
  takesPaste?: boolean
  /** Additional text below the limits. */
  hint?: ReactNode
}

/** Drop zone and file picker: validates files and uploads them with progress, pause, cancel and retry. */
export function UploadBox<T>(props: UploadBoxProps<T>): ReactNode {
  const {
    accept,
    maxSize,
    upload,
    onUploaded,
    isMultiple = false,
    isDisabled = false,
    takesPaste = false,
    hint,
  } = props
  const t = useTranslate()
  const format = useFormat()
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  const types = accept.join(', ')
  const queue = useUploadQueue(async (file, options) => onUploaded(await upload(file, options), file))

  function refusal(file: File): string | null {
    const fault = fileFault(file, { accept, maxSize })
    if (fault === 'too_large') {
      return t('upload.too_large', { name: file.name, size: format.bytes(maxSize) })
    }
    return fault === 'wrong_type' ? t('upload.wrong_type', { name: file.name, types }) : null
  }

  function take(files: readonly File[]): void {
    const wanted = isMultiple ? files : files.slice(0, 1)
    const note = files.length > wanted.length ? t('upload.too_many') : ''
    queue.add(
      wanted.map(file => ({ file, refusal: refusal(file), note })),
      !isMultiple,
    )
  }

  const paste = useEffectEvent((event: ClipboardEvent) => {
    const isField =
      event.target instanceof Element && event.target.closest('input, textarea, [contenteditable]')
    const files = [...(event.clipboardData?.files ?? [])]
    if (isField || isDisabled || files.length === 0) return
    event.preventDefault()
    take(files)
  })
  useEffect(() => {
    if (!takesPaste) return
    document.addEventListener('paste', paste)
    return () => document.removeEventListener('paste', paste)
  }, [takesPaste])

  function drop(event: DragEvent): void {
    event.preventDefault()
    setOver(false)
    if (!isDisabled) take([...event.dataTransfer.files])
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
          {t(isMultiple ? 'upload.drop_many' : 'upload.drop')}
        </Button>
        <input
          ref={input}
          className={classes.input}
          type="file"
          tabIndex={-1}
          aria-label={t(isMultiple ? 'upload.drop_many' : 'upload.drop')}
          accept={types}
          multiple={isMultiple}
          disabled={isDisabled}
          onChange={event => {
            take([...(event.currentTarget.files ?? [])])
            // Allows selecting the same file again after it was corrected.
            event.currentTarget.value = ''
          }}
        />
        <div className={classes.limits}>
          {t('upload.limits', { size: format.bytes(maxSize), types: types || '*' })}
        </div>
        {hint && <div className={classes.limits}>{hint}</div>}
      </div>
      <ul className={classes.items} aria-live="polite">
        {queue.items.map(item => (
          <ItemRow key={item.id} item={item} queue={queue} />
        ))}
      </ul>
    </div>
  )
}

function ItemRow({ item, queue }: { item: UploadItem; queue: UploadQueue }): ReactNode {
  const t = useTranslate()
  const format = useFormat()
  const { id, state, share, message } = item
  const { name } = item.file
  const isFaulty = state === 'failed' || state === 'refused'
  const isUnderWay = state === 'waiting' || state === 'sending' || state === 'paused'
  return (
    <li className={classes.item} data-faulty={isFaulty || undefined}>
      {state === 'done' && <IconCircleCheck className={classes.done} size={18} aria-hidden />}
      <div className={classes.itemText}>
        <span className={classes.name}>
          {name} <span className={classes.limits}>{format.bytes(item.file.size)}</span>
          {state === 'waiting' && <span className={classes.limits}> · {t('upload.waiting')}</span>}
          {state === 'paused' && <span className={classes.limits}> · {t('upload.paused')}</span>}
        </span>
        {(state === 'sending' || state === 'paused') && (
          <Progress
            size="sm"
            value={share * 100}
            {...(state === 'paused' ? { color: 'gray' } : {})}
            aria-label={t('upload.progress', { name, percent: format.percent(share, 0) })}
          />
        )}
        {state === 'failed' && <span>{t('upload.failed', { name })}</span>}
        {message !== '' && <span>{message}</span>}
        {state === 'done' && <span className={classes.hidden}>{t('upload.done', { name })}</span>}
      </div>
      {(state === 'sending' || state === 'waiting') && (
        <ItemButton
          label={t('upload.pause', { name })}
          icon={<IconPlayerPause size={16} />}
          onClick={() => queue.pause(id)}
        />
      )}
      {state === 'paused' && (
        <ItemButton
          label={t('upload.resume', { name })}
          icon={<IconPlayerPlay size={16} />}
          onClick={() => queue.resume(id)}
        />
      )}
      {state === 'failed' && (
        <ItemButton
          label={t('upload.retry', { name })}
          icon={<IconRefresh size={16} />}
          onClick={() => queue.resume(id)}
        />
      )}
      <ItemButton
        label={t(isUnderWay ? 'upload.cancel' : 'upload.remove', { name })}
        icon={<IconX size={16} />}
        onClick={() => queue.remove(id)}
      />
    </li>
  )
}

function ItemButton(props: { label: string; icon: ReactNode; onClick: () => void }): ReactNode {
  return (
    <ActionIcon variant="subtle" color="gray" aria-label={props.label} onClick={props.onClick}>
      {props.icon}
    </ActionIcon>
  )
}
