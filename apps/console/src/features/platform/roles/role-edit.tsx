import type { RecordOf } from '@emma/client/emma-client.ts'
import { role } from '@emma/contract/resources/role.ts'
import { SwitchField } from '@emma/ui/form/fields/checkbox-field.tsx'
import { TextField } from '@emma/ui/form/fields/text-field.tsx'
import { FormSection, RecordForm } from '@emma/ui/form/record-form.tsx'
import { useRecordForm } from '@emma/ui/form/use-record-form.ts'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { saveRecord } from '../../../shell/resource/record-calls.ts'
import { RecordPage } from '../../../shell/layout/record-page.tsx'
import { useFieldLabels } from '../../../shell/i18n/use-field-labels.ts'
import { useRecordEdit } from '../../../shell/resource/use-record-edit.ts'
import { PermissionMatrix } from './permission-matrix.tsx'
import classes from './permission-matrix.module.css'

type Role = RecordOf<typeof role>

const path = '/system/roles'
const fields = ['name', 'is_administrator', 'requires_second_factor', 'permissions'] as const

/** One role with its rights, or a new one. */
export default function RoleEdit(): ReactNode {
  const { t } = useTranslation()
  return (
    <RecordPage resource={role} back={path} title={record => record?.name ?? t('platform.role.new')}>
      {(record, id) => <RoleForm record={record} id={id} />}
    </RecordPage>
  )
}

function RoleForm({ record, id }: { record: Role | null; id: number | null }): ReactNode {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const toList = () => void navigate({ to: path })
  const edit = useRecordEdit(role, { record, id, nameOf: row => row.name, toList })
  const form = useRecordForm({
    ...edit.options,
    toValues: (stored: Role | null) => ({
      name: stored?.name ?? '',
      is_administrator: stored?.is_administrator ?? false,
      requires_second_factor: stored?.requires_second_factor ?? false,
      permissions: stored?.permissions.toSorted() ?? [],
    }),
    labels: useFieldLabels(role, fields),
    save: (values, change) => saveRecord(role, id, values, change),
  })
  const matrix = form.field('permissions')
  return (
    <div className={classes.still}>
      <RecordForm form={form} removal={edit.removal}>
        <FormSection
          title={t('platform.role.sections.general')}
          description={t('platform.role.sections.general_text')}
        >
          <TextField form={form} name="name" maxLength={255} />
          <SwitchField
            form={form}
            name="is_administrator"
            description={t('platform.user.administrator_hint')}
          />
          <SwitchField
            form={form}
            name="requires_second_factor"
            description={t('platform.role.second_factor_hint')}
          />
        </FormSection>
        <PermissionMatrix
          id={matrix.id}
          granted={form.values.permissions}
          onChange={next => form.set('permissions', next)}
          isDisabled={matrix.isDisabled}
        />
      </RecordForm>
    </div>
  )
}
