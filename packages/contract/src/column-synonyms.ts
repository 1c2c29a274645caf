/**
 * Common column names in the languages of the console, without blanks, accents and punctuation. Used to match the
 * columns of files, by the server and the mapping table.
 */
export const columnSynonyms: Readonly<Record<string, readonly string[]>> = {
  email: ['email', 'emailaddress', 'emailadresse', 'mail', 'mailadresse', 'correo', 'correoelectronico'],
  datejoin: ['datejoin', 'joined', 'subscribedat', 'optindate', 'angemeldetam'],
  source: ['source', 'quelle', 'herkunft', 'origen'],
  salutation: ['salutation', 'anrede', 'title', 'titel', 'tratamiento'],
  firstname: ['firstname', 'givenname', 'vorname', 'nombre'],
  lastname: ['lastname', 'surname', 'familyname', 'nachname', 'familienname', 'apellido', 'apellidos'],
  birthday: ['birthday', 'birthdate', 'dateofbirth', 'geburtstag', 'geburtsdatum', 'fechadenacimiento'],
  city: ['city', 'town', 'ort', 'stadt', 'wohnort', 'ciudad'],
  zip: ['zip', 'zipcode', 'postcode', 'postalcode', 'plz', 'postleitzahl', 'codigopostal'],
  country: ['country', 'land', 'pais'],
  language: ['language', 'lang', 'sprache', 'idioma'],
  points: ['points', 'punkte', 'puntos'],
  value: [
    'value',
    'email',
    'emailaddress',
    'emailadresse',
    'mail',
    'address',
    'domain',
    'md5',
    'sha256',
    'hash',
  ],
  reason: ['reason', 'grund', 'motivo'],
  expires_at: ['expiresat', 'expires', 'ablauf'],
}
