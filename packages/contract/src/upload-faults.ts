import { sentenceReader } from './read-sentence.ts'

export const uploadLanguages = ['en', 'de', 'es'] as const
export type UploadLanguage = (typeof uploadLanguages)[number]

/**
 * Texts about faults of files (R281 and UploadError) and of their cells, in the languages of the console. Braces
 * contain names of values, which may be such texts themselves. API responses are in English; error files and screens
 * use the user's language. Texts that contain others come first.
 */
const english = {
  cell_emptied: '{fault}: imported with this cell empty',
  cell_shortened: '{fault}: imported with this cell shortened',

  cells: 'has {cells} cells instead of {width}',
  required: 'is empty, but required',
  duplicate: 'is in the file twice; the first row counts',
  too_long: 'is longer than {max} characters',
  control_characters: 'has line breaks or control characters',
  nul: 'has a NUL character',
  no_integer: 'is not a whole number',
  no_number: 'is not a number',
  two_numbers: 'can be read as two numbers; write it without thousands separators',
  no_truth: 'is neither yes nor no',
  no_date: 'is not a date such as 2026-12-31 or 31.12.2026',
  no_time: 'is not a time such as 2026-12-31 18:30 or 31.12.2026 18:30',
  two_dates: 'can be read as two dates; write it as 2026-12-31',
  no_option: 'is none of {options}',
  digest: 'A {match} digest has {length} characters 0–9 and a–f.',
  suppressed_platform: 'is suppressed: on the blacklist of the platform',
  suppressed_client: 'is suppressed: on a blacklist of this client',
  existing: 'is there already',
  unknown: 'is not there',

  address_missing: 'The e-mail address is missing.',
  address_long: 'The e-mail address is longer than 254 characters.',
  address_no_at: 'The e-mail address has no @.',
  local_missing: 'There is nothing before the @.',
  local_long: 'The part before the @ is longer than 64 characters.',
  local_syntax: 'The part before the @ has a character or a dot where none is allowed.',
  local_quoted: 'The part before the @ is in quotes, which most mailboxes do not accept.',
  local_not_ascii: 'The part before the @ has a letter outside a–z.',
  domain_missing: 'There is nothing after the @.',
  domain_long: 'The domain is longer than 253 characters.',
  label_long: 'A part of the domain is longer than 63 characters.',
  domain_syntax: 'The domain has a character, dot or hyphen where none is allowed.',
  no_tld: 'The domain has no valid ending such as .com.',

  empty: 'The file is empty.',
  header_only: 'The file has a header, but no rows.',
  no_header: 'The first row holds an address. It must name the columns: email, firstname …',
  columns: 'The file has {columns} columns; at most {max} are taken. Is the delimiter {delimiter} right?',
  rows: 'The file has more than {max} rows. Split it.',
  size: 'The file is larger than {size}. Split it.',
  long_line:
    'Line {line} is longer than 1 MB. Either a quote is opened and never closed, or the file has no line ends.',
  gone: 'The file is not kept any more. Upload it again.',
  format: 'The file is {format}. Save the table as CSV and upload that.',
  not_text: 'The file is not a text file: it has NUL bytes. Save the table as CSV and upload that.',
  gzip: 'The gzip file is broken: it cannot be unpacked to its end. Upload it again.',
  is_utf8: 'The file is UTF-8. Read as {charset}, its umlauts would become pairs of other letters.',
  not_utf8: 'Line {line} is not UTF-8. Choose the charset of the file, for spreadsheets mostly windows-1252.',
  not_charset: 'The file is not {charset}: it has bytes that are no text in it. Choose another charset.',
  other_charset: 'The file is {charset}, not {requested}.',
  other_delimiter:
    'With {requested} as delimiter the file has a single column; it is separated by {delimiter}.',
  workbook_broken: 'The Excel workbook cannot be read. Save it again as .xlsx, or as CSV.',
  workbook_size: 'The Excel workbook unpacks to more than {size}. Save the table as CSV and upload that.',
  workbook_columns: 'The workbook has more than {max} columns.',
  workbook_empty: 'The Excel workbook has no sheet with rows.',
  no_target: 'The upload has no target: choose a datasource or a blacklist.',
  blacklist_mode: 'A blacklist takes insert, upsert and delete, not {mode}.',
  no_column: '"{target}" has no column "{column}" that a file can fill.',
  no_place: 'The file has no column {place}; it has {width}.',
  mapped_twice: 'Two columns of the file are mapped to "{column}".',
  no_key: 'No column of the file is mapped to "{column}", by which rows are told apart.',
  unclear_dates:
    'The dates of "{column}" can be read in two ways, such as 01/02/2026. Choose whether the day or the month comes first.',
  unclear_numbers:
    'The numbers of "{column}" can be read in two ways, such as 1,234. Choose which sign separates the decimals.',
  broke_off:
    'The import broke off because of a fault in the program or the database. Nothing was changed; start it again.',

  comma: 'a comma',
  semicolon: 'a semicolon',
  tab: 'a tab',
  bar: 'a vertical bar',
  zip: 'a ZIP archive',
  old_workbook: 'an old or encrypted Excel workbook',
  gzip_in_gzip: 'a gzip archive inside of a gzip archive',
  pdf: 'a PDF',
  seven_zip: 'a 7z archive',
} as const

type UploadFaultCode = keyof typeof english

const german: Record<UploadFaultCode, string> = {
  cell_emptied: '{fault}: ohne diese Zelle importiert',
  cell_shortened: '{fault}: mit gekürzter Zelle importiert',

  cells: 'hat {cells} statt {width} Zellen',
  required: 'ist leer, aber erforderlich',
  duplicate: 'kommt in der Datei mehrfach vor; die erste Zeile zählt',
  too_long: 'ist länger als {max} Zeichen',
  control_characters: 'enthält Zeilenumbrüche oder Steuerzeichen',
  nul: 'enthält ein NUL-Zeichen',
  no_integer: 'ist keine ganze Zahl',
  no_number: 'ist keine Zahl',
  two_numbers: 'lässt sich als zwei Zahlen lesen; ohne Tausendertrennzeichen schreiben',
  no_truth: 'ist weder ja noch nein',
  no_date: 'ist kein Datum wie 2026-12-31 oder 31.12.2026',
  no_time: 'ist kein Zeitpunkt wie 2026-12-31 18:30 oder 31.12.2026 18:30',
  two_dates: 'lässt sich als zwei Daten lesen; als 2026-12-31 schreiben',
  no_option: 'ist keines von {options}',
  digest: 'Ein {match}-Hash hat {length} Zeichen 0–9 und a–f.',
  suppressed_platform: 'ist gesperrt: steht auf der Sperrliste der Plattform',
  suppressed_client: 'ist gesperrt: steht auf einer Sperrliste dieses Mandanten',
  existing: 'ist schon vorhanden',
  unknown: 'ist nicht vorhanden',

  address_missing: 'Die E-Mail-Adresse fehlt.',
  address_long: 'Die E-Mail-Adresse ist länger als 254 Zeichen.',
  address_no_at: 'Die E-Mail-Adresse hat kein @.',
  local_missing: 'Vor dem @ steht nichts.',
  local_long: 'Der Teil vor dem @ ist länger als 64 Zeichen.',
  local_syntax: 'Der Teil vor dem @ enthält ein Zeichen oder einen Punkt, wo keiner erlaubt ist.',
  local_quoted: 'Der Teil vor dem @ steht in Anführungszeichen; das nehmen die meisten Postfächer nicht an.',
  local_not_ascii: 'Der Teil vor dem @ enthält einen Buchstaben außerhalb von a–z.',
  domain_missing: 'Nach dem @ steht nichts.',
  domain_long: 'Die Domain ist länger als 253 Zeichen.',
  label_long: 'Ein Teil der Domain ist länger als 63 Zeichen.',
  domain_syntax: 'Die Domain enthält ein Zeichen, einen Punkt oder einen Bindestrich, wo keiner erlaubt ist.',
  no_tld: 'Die Domain hat keine gültige Endung wie .com.',

  empty: 'Die Datei ist leer.',
  header_only: 'Die Datei hat eine Kopfzeile, aber keine Zeilen.',
  no_header: 'In der ersten Zeile steht eine Adresse. Sie muss die Spalten benennen: email, firstname …',
  columns:
    'Die Datei hat {columns} Spalten, höchstens {max} sind möglich. Stimmt das Trennzeichen {delimiter}?',
  rows: 'Die Datei hat mehr als {max} Zeilen. Bitte aufteilen.',
  size: 'Die Datei ist größer als {size}. Bitte aufteilen.',
  long_line:
    'Zeile {line} ist länger als 1 MB. Entweder wird ein Anführungszeichen nie geschlossen, oder die Datei hat keine Zeilenenden.',
  gone: 'Die Datei wird nicht mehr aufbewahrt. Bitte erneut hochladen.',
  format: 'Die Datei ist {format}. Bitte die Tabelle als CSV speichern und hochladen.',
  not_text:
    'Die Datei ist keine Textdatei: Sie enthält NUL-Bytes. Bitte die Tabelle als CSV speichern und hochladen.',
  gzip: 'Die gzip-Datei ist beschädigt und lässt sich nicht vollständig entpacken. Bitte erneut hochladen.',
  is_utf8: 'Die Datei ist UTF-8. Als {charset} gelesen würden aus Umlauten zwei andere Zeichen.',
  not_utf8:
    'Zeile {line} ist kein UTF-8. Bitte den Zeichensatz der Datei wählen, bei Tabellen meist windows-1252.',
  not_charset:
    'Die Datei ist kein {charset}: Sie enthält Bytes, die darin kein Text sind. Bitte einen anderen Zeichensatz wählen.',
  other_charset: 'Die Datei ist {charset}, nicht {requested}.',
  other_delimiter:
    'Mit dem Trennzeichen {requested} hat die Datei eine einzige Spalte; getrennt wird durch {delimiter}.',
  workbook_broken: 'Die Excel-Arbeitsmappe ist nicht lesbar. Bitte erneut als .xlsx oder als CSV speichern.',
  workbook_size:
    'Die Excel-Arbeitsmappe ist entpackt größer als {size}. Bitte die Tabelle als CSV speichern und hochladen.',
  workbook_columns: 'Die Arbeitsmappe hat mehr als {max} Spalten.',
  workbook_empty: 'Die Excel-Arbeitsmappe hat kein Blatt mit Zeilen.',
  no_target: 'Der Upload hat kein Ziel: Bitte eine Datenquelle oder eine Sperrliste wählen.',
  blacklist_mode: 'Für eine Sperrliste gibt es insert, upsert und delete, nicht {mode}.',
  no_column: '„{target}“ hat keine Spalte „{column}“, die eine Datei füllen kann.',
  no_place: 'Die Datei hat keine Spalte {place}; sie hat {width}.',
  mapped_twice: 'Zwei Spalten der Datei sind „{column}“ zugeordnet.',
  no_key: 'Keine Spalte der Datei ist „{column}“ zugeordnet; daran werden die Zeilen unterschieden.',
  unclear_dates:
    'Die Daten von „{column}“ lassen sich auf zwei Arten lesen, etwa 01/02/2026. Bitte wählen, ob der Tag oder der Monat zuerst kommt.',
  unclear_numbers:
    'Die Zahlen von „{column}“ lassen sich auf zwei Arten lesen, etwa 1,234. Bitte das Dezimalzeichen wählen.',
  broke_off:
    'Der Import ist wegen eines Fehlers im Programm oder in der Datenbank abgebrochen. Geändert wurde nichts; bitte erneut starten.',

  comma: 'Komma',
  semicolon: 'Semikolon',
  tab: 'Tabulator',
  bar: 'senkrechter Strich',
  zip: 'ein ZIP-Archiv',
  old_workbook: 'eine alte oder verschlüsselte Excel-Arbeitsmappe',
  gzip_in_gzip: 'ein gzip-Archiv in einem gzip-Archiv',
  pdf: 'ein PDF',
  seven_zip: 'ein 7z-Archiv',
}

const spanish: Record<UploadFaultCode, string> = {
  cell_emptied: '{fault}: importada con esta celda vacía',
  cell_shortened: '{fault}: importada con esta celda acortada',

  cells: 'tiene {cells} celdas en lugar de {width}',
  required: 'está vacío, pero es obligatorio',
  duplicate: 'aparece varias veces en el archivo; cuenta la primera fila',
  too_long: 'tiene más de {max} caracteres',
  control_characters: 'contiene saltos de línea o caracteres de control',
  nul: 'contiene un carácter NUL',
  no_integer: 'no es un número entero',
  no_number: 'no es un número',
  two_numbers: 'se puede leer como dos números; escríbalo sin separador de miles',
  no_truth: 'no es ni sí ni no',
  no_date: 'no es una fecha como 2026-12-31 o 31.12.2026',
  no_time: 'no es una hora como 2026-12-31 18:30 o 31.12.2026 18:30',
  two_dates: 'se puede leer como dos fechas; escríbala como 2026-12-31',
  no_option: 'no es ninguno de {options}',
  digest: 'Un hash {match} tiene {length} caracteres 0–9 y a–f.',
  suppressed_platform: 'está suprimido: en la lista de supresión de la plataforma',
  suppressed_client: 'está suprimido: en una lista de supresión de este cliente',
  existing: 'ya existe',
  unknown: 'no existe',

  address_missing: 'Falta la dirección de correo.',
  address_long: 'La dirección de correo tiene más de 254 caracteres.',
  address_no_at: 'La dirección de correo no tiene @.',
  local_missing: 'No hay nada antes de la @.',
  local_long: 'La parte antes de la @ tiene más de 64 caracteres.',
  local_syntax: 'La parte antes de la @ tiene un carácter o un punto donde no se permite.',
  local_quoted: 'La parte antes de la @ está entre comillas, lo que la mayoría de los buzones no acepta.',
  local_not_ascii: 'La parte antes de la @ tiene una letra fuera de a–z.',
  domain_missing: 'No hay nada después de la @.',
  domain_long: 'El dominio tiene más de 253 caracteres.',
  label_long: 'Una parte del dominio tiene más de 63 caracteres.',
  domain_syntax: 'El dominio tiene un carácter, un punto o un guion donde no se permite.',
  no_tld: 'El dominio no tiene una terminación válida como .com.',

  empty: 'El archivo está vacío.',
  header_only: 'El archivo tiene un encabezado, pero ninguna fila.',
  no_header: 'La primera fila contiene una dirección. Debe nombrar las columnas: email, firstname …',
  columns:
    'El archivo tiene {columns} columnas; se aceptan como máximo {max}. ¿Es correcto el separador {delimiter}?',
  rows: 'El archivo tiene más de {max} filas. Divídalo.',
  size: 'El archivo supera {size}. Divídalo.',
  long_line:
    'La línea {line} supera 1 MB. O no se cierra una comilla, o el archivo no tiene saltos de línea.',
  gone: 'El archivo ya no se conserva. Vuelva a cargarlo.',
  format: 'El archivo es {format}. Guarde la tabla como CSV y cárguela.',
  not_text: 'El archivo no es de texto: contiene bytes NUL. Guarde la tabla como CSV y cárguela.',
  gzip: 'El archivo gzip está dañado y no se puede descomprimir por completo. Vuelva a cargarlo.',
  is_utf8:
    'El archivo es UTF-8. Leído como {charset}, sus tildes se convertirían en pares de otros caracteres.',
  not_utf8:
    'La línea {line} no es UTF-8. Elija la codificación del archivo; en hojas de cálculo suele ser windows-1252.',
  not_charset: 'El archivo no es {charset}: contiene bytes que no son texto en esa codificación. Elija otra.',
  other_charset: 'El archivo es {charset}, no {requested}.',
  other_delimiter:
    'Con {requested} como separador el archivo tiene una sola columna; está separado por {delimiter}.',
  workbook_broken: 'No se puede leer el libro de Excel. Guárdelo de nuevo como .xlsx o como CSV.',
  workbook_size: 'El libro de Excel descomprimido supera {size}. Guarde la tabla como CSV y cárguela.',
  workbook_columns: 'El libro tiene más de {max} columnas.',
  workbook_empty: 'El libro de Excel no tiene ninguna hoja con filas.',
  no_target: 'La carga no tiene destino: elija un origen de datos o una lista de supresión.',
  blacklist_mode: 'Una lista de supresión admite insert, upsert y delete, no {mode}.',
  no_column: '«{target}» no tiene ninguna columna «{column}» que un archivo pueda rellenar.',
  no_place: 'El archivo no tiene la columna {place}; tiene {width}.',
  mapped_twice: 'Dos columnas del archivo están asignadas a «{column}».',
  no_key: 'Ninguna columna del archivo está asignada a «{column}», que distingue las filas.',
  unclear_dates:
    'Las fechas de «{column}» se pueden leer de dos maneras, como 01/02/2026. Elija si va primero el día o el mes.',
  unclear_numbers:
    'Los números de «{column}» se pueden leer de dos maneras, como 1,234. Elija el signo decimal.',
  broke_off:
    'La importación se interrumpió por un error del programa o de la base de datos. No se ha cambiado nada; iníciela de nuevo.',

  comma: 'coma',
  semicolon: 'punto y coma',
  tab: 'tabulador',
  bar: 'barra vertical',
  zip: 'un archivo ZIP',
  old_workbook: 'un libro de Excel antiguo o cifrado',
  gzip_in_gzip: 'un archivo gzip dentro de otro gzip',
  pdf: 'un PDF',
  seven_zip: 'un archivo 7z',
}

const sentences: Record<UploadLanguage, Record<UploadFaultCode, string>> = {
  en: english,
  de: german,
  es: spanish,
}

const readEnglish = sentenceReader<UploadFaultCode>(english)

/** Translates an English text of an import; null when it matches none of the texts above. */
export function translateUploadFault(message: string, language: UploadLanguage): string | null {
  const read = readEnglish(message)
  if (!read) return null
  return sentences[language][read.code].replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = read.values[name] ?? ''
    return translateUploadFault(value, language) ?? value
  })
}

/** First columns of an error file, and the suffix of its name. */
export const errorFileWords: Record<UploadLanguage, { columns: readonly string[]; suffix: string }> = {
  en: { columns: ['row', 'reason', 'column'], suffix: 'errors' },
  de: { columns: ['Zeile', 'Grund', 'Spalte'], suffix: 'Fehler' },
  es: { columns: ['fila', 'motivo', 'columna'], suffix: 'errores' },
}
