import type { RecordOf } from '@emma/client/emma-client.ts'
import { role } from '@emma/contract/resources/role.ts'
import { SwitchField } from '@emma/ui/form/fields/checkbox-field.tsx'
import { TextField } from '@emma/ui/form/fields/text-field.tsx'
import { FormSection, RecordForm } from '@emma/ui/form/record-form.tsx'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { RecordPage } from '../../../shell/layout/record-page.tsx'
import { useResourceForm } from '../../../shell/resource/use-resource-form.ts'
import { PermissionMatrix } from './permission-matrix.tsx'
import classes from './permission-matrix.module.css'

type Role = RecordOf<typeof role>

const fields = ['name', 'is_administrator', 'requires_second_factor', 'permissions'] as const

/** Form of a role and its permissions. */
export default function RoleEdit(): ReactNode {
  return <RecordPage resource={role}>{record => <RoleForm record={record} />}</RecordPage>
}

function RoleForm({ record }: { record: Role | null }): ReactNode {
  const { t } = useTranslation()
  const form = useResourceForm(role, record, {
    fields,
    toValues: values => ({ ...values, permissions: values.permissions.toSorted() }),
  })
  const matrix = form.field('permissions')
  return (
    <div className={classes.still}>
      <RecordForm form={form}>
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
