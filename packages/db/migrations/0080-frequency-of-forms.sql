-- Forms ask for the contact frequency; a closed pop-up opens again after so many days.
ALTER TABLE webform
  ADD frequency boolean NOT NULL DEFAULT false,
  ADD popup_again int NOT NULL DEFAULT 30 CHECK (popup_again BETWEEN 0 AND 365);
