import { clear, del, get, promisifyRequest, setMany, type UseStore, values } from 'idb-keyval'

/** Object stores of the demo: one per entity (R306, R308), and those of additional state. */
export const demoEntities = [
  'campaign',
  'report',
  'template',
  'template_version',
  'subscriber',
  'test_subscriber',
  'datasource',
  'dashboard',
  'user',
  'placeholder',
  'pmt',
  'webform',
  'reporting_group',
  'motd',
  'agb',
  'agb_confirm',
  'bav',
  'bav_confirm',
  'blacklist',
  'multi_blacklist',
  'recurring',
  'transactional',
  'transactional_mail',
  'transactional_report',
  'doi_report',
  'send_volume',
  'client',
  'domain',
  'mailclass',
  'imap_setting',
  'imap_login',
  'alert',
  'ipci',
  'segment',
  'role',
  'test_group',
  'campaign_preset',
  'campaign_approval',
  'campaign_comment',
  'campaign_queue',
  'capping',
  'category',
  'settings',
] as const
export type DemoEntity = (typeof demoEntities)[number]

export type DemoKey = number | string

/** The records of one entity. The type of the rows is not checked, as IndexedDB stores any value. */
export interface DemoTable<Row> {
  all(): Promise<Row[]>
  get(key: DemoKey): Promise<Row | undefined>
  put(key: DemoKey, row: Row): Promise<void>
  putAll(rows: readonly (readonly [DemoKey, Row])[]): Promise<void>
  remove(key: DemoKey): Promise<void>
  clear(): Promise<void>
}

export type DemoTables = <Row>(entity: DemoEntity) => DemoTable<Row>

/** Increase the version when an entity is added. */
const database = { name: 'emma-demo', version: 14 }

/** Opens the demo's database in the browser, with one object store per entity. */
export async function openDemoTables(): Promise<DemoTables> {
  const request = indexedDB.open(database.name, database.version)
  request.addEventListener('upgradeneeded', () => {
    const known = request.result.objectStoreNames
    for (const entity of demoEntities) if (!known.contains(entity)) request.result.createObjectStore(entity)
  })
  const opened = await promisifyRequest(request)
  return <Row>(entity: DemoEntity): DemoTable<Row> => {
    const store: UseStore = async (mode, use) => use(opened.transaction(entity, mode).objectStore(entity))
    return {
      all: () => values<Row>(store),
      get: key => get<Row>(key, store),
      put: (key, row) => setMany([[key, row]], store),
      putAll: rows =>
        setMany(
          rows.map(([key, row]): [DemoKey, Row] => [key, row]),
          store,
        ),
      remove: key => del(key, store),
      clear: () => clear(store),
    }
  }
}
