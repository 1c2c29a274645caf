import { clear, del, get, promisifyRequest, setMany, type UseStore, values } from 'idb-keyval'

/** The stores of the demo, one an entity (R306, R308), and what is kept beside them. */
export const demoEntities = [
  'campaign',
  'report',
  'template',
  'subscriber',
  'test_subscriber',
  'datasource',
  'dashboard',
  'user',
  'placeholder',
  'reporting_group',
  'motd',
  'blacklist',
  'transactional_report',
  'doi_report',
  'send_volume',
  'client',
  'domain',
  'mailclass',
  'segment',
  'role',
  'test_group',
  'capping',
  'settings',
] as const
export type DemoEntity = (typeof demoEntities)[number]

export type DemoKey = number | string

/** The records of one entity. What a table holds is its maker's word, as with every store of a browser. */
export interface DemoTable<Row> {
  all(): Promise<Row[]>
  get(key: DemoKey): Promise<Row | undefined>
  put(key: DemoKey, row: Row): Promise<void>
  putAll(rows: readonly (readonly [DemoKey, Row])[]): Promise<void>
  remove(key: DemoKey): Promise<void>
  clear(): Promise<void>
}

export type DemoTables = <Row>(entity: DemoEntity) => DemoTable<Row>

/** The version goes up with each entity that is added. */
const database = { name: 'emma-demo', version: 1 }

/** The demo's tables in this browser: one database, one object store an entity. */
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
