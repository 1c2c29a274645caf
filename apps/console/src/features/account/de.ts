export const de = {
  account: {
    login: {
      title: 'Willkommen zurück',
      intro: 'Melden Sie sich an, um Mailings zu planen, zu versenden und zu messen.',
      username: 'Benutzername',
      password: 'Passwort',
      submit: 'Anmelden',
      code: 'Code',
      code_text: 'Sechs Ziffern aus Ihrer Authenticator-App oder einer Ihrer Wiederherstellungscodes.',
      other_account: 'Als jemand anderes anmelden',
      forgot: 'Passwort vergessen?',
      claim: 'Jede Mail gezählt. Keine verloren, keine doppelt.',
      claim_text:
        'Segmente, Vorlagen, Versand und Berichte an einem Ort, von der ersten Liste bis zum letzten Klick.',
    },
    provider: {
      or: 'oder',
      submit: 'Mit {{name}} anmelden',
      faults: {
        domain:
          'Mit Adressen Ihrer Domain kann man sich hier nicht anmelden. Bitte fragen Sie Ihre Administration.',
        inactive: 'Ihr Konto ist abgeschaltet. Bitte fragen Sie Ihre Administration.',
        several: 'Mehrere Konten haben Ihre Adresse. Bitte melden Sie sich mit Benutzername und Passwort an.',
        unknown: 'Für Sie gibt es hier noch kein Konto. Bitte fragen Sie Ihre Administration.',
        cancelled: 'Die Anmeldung wurde beim Anmeldedienst abgebrochen.',
        late: 'Das hat zu lange gedauert oder begann in einem anderen Browser. Bitte beginnen Sie noch einmal.',
        unreachable:
          'Der Anmeldedienst ist gerade nicht erreichbar. Bitte versuchen Sie es später noch einmal.',
      },
    },
    reset: {
      invited_title: 'Willkommen bei EMMA',
      title: 'Neues Passwort setzen',
      request_intro:
        'Nennen Sie Ihren Benutzernamen. Gibt es das Konto, erhält dessen Adresse eine Mail mit einem Link.',
      request_submit: 'Link senden',
      unmailed_title: 'Diese Installation versendet keine E-Mails',
      unmailed_text:
        'Bitten Sie Ihre Administration um ein neues Passwort. Auf dem Server gibt der Befehl „emma user reset“ einen Link aus.',
      requested_title: 'Sehen Sie in Ihr Postfach',
      requested_text:
        'Wenn es das Konto gibt, ist eine Mail mit einem Link unterwegs. Der Link gilt einmal und eine Stunde lang.',
      set_intro: 'Wählen Sie ein Passwort mit mindestens 10 Zeichen. Länge zählt mehr als Sonderzeichen.',
      password: 'Neues Passwort',
      repeat: 'Neues Passwort noch einmal',
      set_submit: 'Passwort speichern',
      too_short: 'Das Passwort braucht mindestens 10 Zeichen.',
      different: 'Die beiden Eingaben sind verschieden.',
      done: 'Ihr neues Passwort ist gesetzt. Bitte melden Sie sich damit an.',
      back: 'Zurück zur Anmeldung',
    },
  },
}
