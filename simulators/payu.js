document.forms[0].submit(); // as the pages of PayU do; who has no scripts presses the button
