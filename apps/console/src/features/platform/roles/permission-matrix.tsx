import {
  type Entity,
  entities,
  type Method,
  methods,
  type Permission,
  permissions,
} from '@emma/contract/permissions.ts'
import { Checkbox, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './permission-matrix.module.css'

interface PermissionMatrixProps {
  /** Id of the element that error links focus. */
  id: string
  granted: readonly Permission[]
  /** Permissions that can be granted; all by default. */
  offered?: readonly Permission[]
  /** Explanation above the table. */
  text?: string
  onChange: (granted: Permission[]) => void
  isDisabled: boolean
}

/** Table of all permissions: one row per entity, one column per method. */
export function PermissionMatrix(props: PermissionMatrixProps): ReactNode {
  const { id, granted, offered = permissions, text, onChange, isDisabled } = props
  const { t } = useTranslation()
  const [search, setSearch] = useState('')
  const held = new Set(granted)
  const given = new Set(offered)
  const among = (rights: readonly Permission[]) => rights.filter(right => given.has(right))
  const nameOf = (entity: Entity) => t(`platform.entities.${entity}`)
  const needle = search.trim().toLowerCase()
  const rows = entities
    .filter(entity => methods.some(method => given.has(rightOf(entity, method))))
    .filter(entity => `${entity} ${nameOf(entity)}`.toLowerCase().includes(needle))
    .toSorted((a, b) => nameOf(a).localeCompare(nameOf(b)))

  function set(rights: readonly Permission[], isGranted: boolean): void {
    const next = new Set(granted)
    for (const right of rights) {
      if (isGranted) next.add(right)
      else next.delete(right)
    }
    onChange([...next].toSorted())
  }

  return (
    <section id={id} tabIndex={-1} className={classes.matrix} aria-labelledby={`${id}-title`}>
      <header className={classes.head}>
        <div>
          <h2 id={`${id}-title`} className={classes.title}>
            {t('platform.role.fields.permissions')}
          </h2>
          <p className={classes.text}>{text ?? t('platform.role.matrix_text')}</p>
        </div>
        <TextInput
          aria-label={t('platform.role.search')}
          placeholder={t('platform.role.search')}
          leftSection={<IconSearch size={16} />}
          value={search}
          onChange={event => setSearch(event.currentTarget.value)}
        />
      </header>
      <div className={classes.frame}>
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">{t('platform.role.entity')}</th>
              {methods.map(method => (
                <th key={method} scope="col">
                  <Several
                    label={t(`platform.role.methods.${method}`)}
                    hint={t('platform.role.all_of', { name: t(`platform.role.methods.${method}`) })}
                    rights={among(rows.map(entity => rightOf(entity, method)))}
                    held={held}
                    isDisabled={isDisabled}
                    onChange={set}
                  />
                </th>
              ))}
              <th scope="col">{t('platform.role.all')}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(entity => (
              <tr key={entity}>
                <th scope="row">
                  {nameOf(entity)} <code>{entity}</code>
                </th>
                {methods.map(method => (
                  <td key={method}>
                    <Checkbox
                      size="md"
                      aria-label={`${nameOf(entity)}: ${t(`platform.role.methods.${method}`)}`}
                      checked={held.has(rightOf(entity, method))}
                      disabled={isDisabled || !given.has(rightOf(entity, method))}
                      onChange={event => set([rightOf(entity, method)], event.currentTarget.checked)}
                    />
                  </td>
                ))}
                <td>
                  <Several
                    hint={t('platform.role.all_of', { name: nameOf(entity) })}
                    rights={among(methods.map(method => rightOf(entity, method)))}
                    held={held}
                    isDisabled={isDisabled}
                    onChange={set}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

interface SeveralProps {
  label?: string
  hint: string
  rights: readonly Permission[]
  held: ReadonlySet<Permission>
  isDisabled: boolean
  onChange: (rights: readonly Permission[], isGranted: boolean) => void
}

/** Checkbox of several permissions: all, none, or indeterminate. */
function Several({ label, hint, rights, held, isDisabled, onChange }: SeveralProps): ReactNode {
  const count = rights.filter(right => held.has(right)).length
  const isAll = count === rights.length && rights.length > 0
  return (
    <Checkbox
      size="md"
      label={label}
      aria-label={hint}
      checked={isAll}
      indeterminate={count > 0 && !isAll}
      disabled={isDisabled || rights.length === 0}
      onChange={() => onChange(rights, !isAll)}
    />
  )
}

function rightOf(entity: Entity, method: Method): Permission {
  return `${entity}:${method}`
}
