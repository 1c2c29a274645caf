export const de = {
  account: {
    login: {
      title: 'Willkommen zurück',
      intro: 'Melden Sie sich an, um Mailings zu planen, zu versenden und zu messen.',
      username: 'Benutzername',
      password: 'Passwort',
      submit: 'Anmelden',
      forgot: 'Passwort vergessen?',
      claim: 'Jede Mail gezählt. Keine verloren, keine doppelt.',
      claim_text:
        'Segmente, Vorlagen, Versand und Berichte an einem Ort, von der ersten Liste bis zum letzten Klick.',
    },
    reset: {
      title: 'Neues Passwort setzen',
      request_intro:
        'Nennen Sie Ihren Benutzernamen. Gibt es das Konto, erhält dessen Adresse eine Mail mit einem Link.',
      request_submit: 'Link senden',
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
    settings: {
      intro: 'Diese Einstellungen gelten nur für Sie und in jedem Browser.',
      appearance: 'Darstellung',
      language: 'Sprache',
      theme: 'Hell oder dunkel',
      saved: 'Ihre Einstellungen sind gespeichert.',
      security: 'Passwort',
      security_text:
        'Mit dem alten Passwort zeigen Sie, dass Sie es sind. Überall sonst werden Sie abgemeldet.',
      old_password: 'Altes Passwort',
      security_submit: 'Passwort ändern',
      password_changed: 'Ihr Passwort ist geändert.',
    },
  },
}
