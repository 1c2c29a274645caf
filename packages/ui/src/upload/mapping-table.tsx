import { Button, NativeSelect } from '@mantine/core'
import type { ReactNode } from 'react'
import { SmallTable } from '../layout/small-table.tsx'
import { useTranslate } from '../i18n.tsx'
import { type Mapping, type MappingTarget, mappingFaults, matchColumns } from './match-columns.ts'
import classes from './upload.module.css'

export interface MappingTableProps {
  /** Columns of the file with sample values. */
  columns: readonly { name: string; samples: readonly string[] }[]
  targets: readonly MappingTarget[]
  /** Label of the target that creates a new field; any number of columns may use it. */
  newTarget?: string | undefined
  mapping: Mapping
  onChange: (mapping: Mapping) => void
  /** Additional inputs for a mapped column. */
  detail?: (column: string, target: string) => ReactNode
}

/** Table that maps columns of a file to target fields. */
export function MappingTable({
  columns,
  targets,
  newTarget,
  mapping,
  onChange,
  detail,
}: MappingTableProps): ReactNode {
  const t = useTranslate()
  const faults = mappingFaults(mapping, targets)
  const mapped = columns.filter(column => typeof mapping[column.name] === 'string').length
  const options = [
    { value: '', label: t('mapping.ignore') },
    ...targets.map(target => ({
      value: target.value,
      label: target.isRequired ? `${target.label} *` : target.label,
    })),
    ...(newTarget === undefined ? [] : [{ value: newTarget, label: t('mapping.new') }]),
  ]
  function targetOf(name: string): ReactNode {
    const target = mapping[name] ?? ''
    return (
      <>
        <NativeSelect
          aria-label={`${name}: ${t('mapping.target')}`}
          data={options}
          error={faults.twice.some(fault => fault.value === target)}
          value={target}
          onChange={event => onChange({ ...mapping, [name]: event.currentTarget.value || null })}
        />
        {target !== '' && detail?.(name, target)}
      </>
    )
  }
  return (
    <div>
      <div className={classes.summary}>
        <span role="status">{t.count('mapping.mapped', mapped, { total: columns.length })}</span>
        {faults.missing.length > 0 && (
          <span className={classes.fault} role="alert">
            {t('mapping.missing', { fields: faults.missing.map(target => target.label).join(', ') })}
          </span>
        )}
        {faults.twice.map(target => (
          <span key={target.value} className={classes.fault} role="alert">
            {t('mapping.twice', { name: target.label })}
          </span>
        ))}
        <Button
          ml="auto"
          variant="subtle"
          color="gray"
          onClick={() =>
            onChange(
              matchColumns(
                columns.map(column => column.name),
                targets,
              ),
            )
          }
        >
          {t('mapping.auto')}
        </Button>
      </div>
      <div className={classes.mapping}>
        <SmallTable
          label={t('mapping.source')}
          minWidth={520}
          rows={columns}
          rowKey={column => column.name}
          isDimmed={column => !mapping[column.name]}
          columns={[
            { id: 'source', header: t('mapping.source'), cell: column => column.name },
            {
              id: 'sample',
              header: t('mapping.sample'),
              cell: column => <div className={classes.samples}>{column.samples.join(' · ')}</div>,
            },
            { id: 'target', header: t('mapping.target'), cell: column => targetOf(column.name) },
          ]}
        />
      </div>
    </div>
  )
}
