import { Button, Group } from '@mantine/core'
import { useRouter } from '@tanstack/react-router'
import { type ReactNode, useEffect, useEffectEvent } from 'react'
import { confirm } from '../feedback/confirm.tsx'
import { notify } from '../feedback/notify.tsx'
import { useUiSettings } from '../ui-settings.tsx'
import { useTranslate } from '../i18n.tsx'
import { ConflictScreen } from './conflict-screen.tsx'
import { DraftOffer } from './draft-offer.tsx'
import { ErrorSummary } from './error-summary.tsx'
import { LeaveGuard } from './leave-guard.tsx'
import classes from './record-form.module.css'
import type { RecordForm as Form, RecordRemoval } from './use-record-form.ts'

export interface RecordFormProps<V extends object> {
  form: Form<V> & { removal?: RecordRemoval | undefined }
  /** `FormSection`s with inputs. */
  children: ReactNode
  saveLabel?: string
  removal?: RecordRemoval | undefined
  /** Buttons beside "Save". */
  actions?: ReactNode
  /** Formats a value in the conflict screen; as text by default. */
  showValue?: (field: keyof V & string, value: unknown) => ReactNode
}

/**
 * Form of a record: error summary with links, draft, saving by button, Enter and Ctrl+S, guard against leaving with
 * unsaved changes, and conflict screen if the record was changed meanwhile.
 */
export function RecordForm<V extends object>(props: RecordFormProps<V>): ReactNode {
  const { form, children, saveLabel, removal = form.removal, actions, showValue } = props
  const t = useTranslate()
  useSaveKey(() => void form.submit())
  const router = useRouter({ warn: false })
  return (
    <>
      {router && <LeaveGuard isDirty={form.isDirtyNow} isOn={form.isDirty} />}
      {form.conflict && (
        <ConflictScreen
          conflict={form.conflict}
          labels={form.labels}
          isSaving={form.isSaving}
          showValue={showValue}
        />
      )}
      <form
        className={classes.form}
        noValidate
        hidden={form.conflict !== null}
        onSubmit={event => {
          event.preventDefault()
          // React bubbles submit events of forms inside portals.
          event.stopPropagation()
          void form.submit()
        }}
      >
        {form.draft && <DraftOffer draft={form.draft} />}
        <ErrorSummary form={form} />
        <div className={classes.sections}>{children}</div>
        <div className={classes.bar} data-dirty={form.isDirty || undefined}>
          <Button type="submit" loading={form.isSaving} disabled={!form.isDirty && !form.isNew}>
            {saveLabel ?? t('action.save')}
          </Button>
          {actions}
          {form.isDirty && !form.isNew && (
            <Button variant="subtle" color="gray" onClick={form.reset}>
              {t('form.discard')}
            </Button>
          )}
          <span className={classes.hint}>{form.isDirty ? t('form.unsaved') : ''}</span>
          {removal && !form.isNew && <RemoveButton removal={removal} forgetChanges={form.reset} />}
        </div>
      </form>
    </>
  )
}

export interface FormSectionProps {
  /** Anchor for links to the section. */
  id?: string
  title: string
  /** One or two sentences beside the inputs. */
  description?: ReactNode
  children: ReactNode
}

/** A group of inputs with a heading. */
export function FormSection({ id, title, description, children }: FormSectionProps): ReactNode {
  return (
    <section id={id} className={classes.section} aria-label={title}>
      <header>
        <h2 className={classes.title}>{title}</h2>
        {description && <p className={classes.description}>{description}</p>}
      </header>
      <div className={classes.fields}>{children}</div>
    </section>
  )
}

/** Inputs in a row, stacked on narrow screens. */
export function FormRow({ children }: { children: ReactNode }): ReactNode {
  return <div className={classes.row}>{children}</div>
}

function RemoveButton(props: { removal: RecordRemoval; forgetChanges: () => void }): ReactNode {
  const { removal, forgetChanges } = props
  const t = useTranslate()
  const { errorText } = useUiSettings()
  const { name, restore } = removal

  async function remove(): Promise<void> {
    const isSure = await confirm({
      title: t('form.delete_title', { name }),
      text: t(restore ? 'form.delete_undo' : 'form.delete_text'),
      confirmLabel: t('action.delete'),
      danger: true,
    })
    if (!isSure) return
    try {
      await removal.run()
      const undo = restore && { label: t('action.undo'), run: () => void bringBack(restore) }
      notify.success(t('form.deleted', { name }), undo ? { action: undo } : {})
      forgetChanges()
      removal.onRemoved()
    } catch (error) {
      notify.danger(errorText(error))
    }
  }

  async function bringBack(undo: () => Promise<unknown>): Promise<void> {
    try {
      await undo()
      notify.success(t('form.restored', { name }))
    } catch (error) {
      notify.danger(errorText(error))
    }
  }

  return (
    <Group ml="auto">
      <Button variant="subtle" color="red" onClick={() => void remove()}>
        {t('action.delete')}
      </Button>
    </Group>
  )
}

/** Saves on Ctrl+S or ⌘S anywhere on the page, unless a modal is open. */
function useSaveKey(save: () => void): void {
  const run = useEffectEvent(save)
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey) || event.shiftKey) return
      event.preventDefault()
      if (!document.querySelector('[role="dialog"][aria-modal="true"]')) run()
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}
