import { Alert } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { useTranslate } from '../i18n.tsx'
import classes from './record-form.module.css'
import type { RecordForm } from './use-record-form.ts'

/** Lists all errors of a form, with links to their inputs. Takes the focus when it appears. */
export function ErrorSummary<V extends object>({ form }: { form: RecordForm<V> }): ReactNode {
  const t = useTranslate()
  const ref = useRef<HTMLDivElement>(null)
  const { problems, attempts } = form
  const hasProblems = problems.length > 0
  useEffect(() => {
    if (attempts > 0 && hasProblems) ref.current?.focus()
  }, [attempts, hasProblems])
  if (!hasProblems) return null
  const inFields = problems.filter(problem => problem.field !== null)
  const general = problems.filter(problem => problem.field === null)
  return (
    <Alert
      ref={ref}
      tabIndex={-1}
      className={classes.summary ?? ''}
      color="red"
      variant="light"
      icon={<IconAlertTriangle size={18} aria-hidden />}
      title={t('form.errors')}
    >
      {general.map(problem => (
        <p key={problem.message} className={classes.problem}>
          {problem.message}
        </p>
      ))}
      {inFields.length > 0 && (
        <ul className={classes.problems}>
          {inFields.map(({ field, message }) => (
            <li key={field}>
              <button type="button" className={classes.problemLink} onClick={() => focusField(form, field)}>
                {message}
              </button>
            </li>
          ))}
        </ul>
      )}
    </Alert>
  )
}

function focusField<V extends object>(form: RecordForm<V>, field: string | null): void {
  const name = Object.keys(form.labels).find(known => known === field)
  const input = name === undefined ? null : document.getElementById(form.idOf(name))
  input?.focus()
  input?.scrollIntoView({ block: 'center' })
}
