import { createTextHook } from '../i18n/i18n.ts';
import { catalogue } from '../i18n/texts/catalogue.ts';

/** The texts of withdrawals that are loaded with the pages that need them. */
export const useWithdrawalText = createTextHook(
  catalogue(
    { newest: 'Only the newest %{count} of %{total} withdrawals are counted.' },
    { newest: 'Seuls les %{count} retraits les plus récents sur %{total} sont comptés.' },
  ),
);
