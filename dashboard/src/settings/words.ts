import { catalogue } from '../i18n/texts/catalogue.ts';
import { createWordsHook } from '../i18n/words.ts';

export const useSettingWords = createWordsHook(
  catalogue(
    {
      names: {
        commission_percent: 'Commission',
        min_deposit: 'Minimum deposit',
        min_withdrawal: 'Minimum withdrawal',
        payout_account_hold_hours: 'Waiting time of new payout accounts',
        payout_checker_from: 'Second administrator from this payout on',
        require_payout_account: 'Withdrawals only to payout accounts',
        max_balance: 'Maximum balance',
        max_deposits_month: 'Maximum deposits per month',
        deposit_refunds: 'Refunds of deposits',
        deposit_refund_days: 'Refund period',
        recover_debts: 'Recovery of debts',
        dispute_blocks: 'No deposits during disputes',
        call_ring_timeout_seconds: 'Ringing time',
        max_free_rings: 'Unanswered rings',
        max_open_requests: 'Open booking requests',
        booking_auto_confirm: 'Automatic confirmation',
        booking_cancel_hours: 'Cancellation deadline',
        rating_prior_reviews: 'Weight of the default rating',
        message_max_length: 'Maximum message length',
        file_max_mb: 'Maximum file size',
        show_contact_details: 'Contact details in chats',
        desk_reopen_hours: 'Reopening of support cases',
        reset_needs_token: 'Password reset token',
        max_sends_per_day: 'Codes per day',
        max_sends_per_network: 'Codes per network per hour',
        require_verified_teacher: 'Verified teachers only',
        require_student_alive: 'Charge only while the student is present',
        require_admin_totp: 'Two-factor authentication for administrators',
      },
      meanings: {
        commission_percent: 'Share of each call charge that the platform keeps, in percent.',
        min_deposit: 'Minimum deposit, in the smallest unit of the currency.',
        min_withdrawal: 'Minimum withdrawal, in the smallest unit of the currency.',
        payout_account_hold_hours: 'How many hours after it was added a payout account can be used.',
        payout_checker_from:
          'A payout, or a batch of payouts, of at least this amount needs a second administrator. 0: never.',
        require_payout_account: 'A withdrawal goes to one of the teacher’s payout accounts, not to any text.',
        max_balance:
          'Maximum balance of a student that a deposit may lead to, in the smallest unit of the currency. 0: no limit.',
        max_deposits_month:
          'Maximum sum of a student’s deposits in a calendar month (UTC), in the smallest unit of the currency. 0: no limit.',
        deposit_refunds:
          'Refunds of money that a student has not spent. 0: not offered, 1: an administrator decides, 2: sent immediately.',
        deposit_refund_days: 'For how many days after a deposit it can be refunded. 0: no limit.',
        recover_debts: 'A student’s later deposits first pay what the student owes because of disputes.',
        dispute_blocks: 'A student with an open dispute or a debt cannot make a new deposit.',
        call_ring_timeout_seconds: 'How many seconds a call rings before it is missed.',
        max_free_rings: 'How many times in 10 minutes a student may ring a teacher without the call being accepted.',
        max_open_requests: 'How many unanswered booking requests a student may have at once.',
        booking_auto_confirm: 'Bookings are confirmed immediately, without waiting for the teacher.',
        booking_cancel_hours: 'How many hours before its start a booking can no longer be canceled or moved.',
        rating_prior_reviews:
          'When teachers are sorted by rating, each counts this many extra 4-star reviews, so that a few good reviews do not put a teacher first.',
        message_max_length: 'Maximum length of a message, in characters.',
        file_max_mb: 'Maximum size of a file that can be sent, in MiB.',
        show_contact_details: 'Chat partners see each other’s phone number, address and city.',
        desk_reopen_hours: 'A message reopens a case that was resolved less than this many hours ago. 0: never.',
        reset_needs_token: 'A password reset needs its token, even from the client that entered the code.',
        max_sends_per_day: 'Maximum number of codes sent per day, by e-mail and SMS, to all people together.',
        max_sends_per_network:
          'Maximum number of codes that one network can request by e-mail per hour, and a third as many by SMS. Mobile carriers and schools put many people behind one network.',
        require_verified_teacher: 'Only teachers verified by an administrator are listed and can be called.',
        require_student_alive:
          'A step of a call is charged only after the student’s app reports that the student is present. Requires apps that report it.',
        require_admin_totp: 'An administrator without two-factor authentication can do nothing except set it up.',
      },
    },
    {
      names: {
        commission_percent: 'Commission',
        min_deposit: 'Dépôt minimal',
        min_withdrawal: 'Retrait minimal',
        payout_account_hold_hours: 'Délai des nouveaux comptes de paiement',
        payout_checker_from: 'Second administrateur à partir de ce paiement',
        require_payout_account: 'Retraits vers un compte de paiement seulement',
        max_balance: 'Solde maximal',
        max_deposits_month: 'Dépôts maximaux par mois',
        deposit_refunds: 'Remboursement des dépôts',
        deposit_refund_days: 'Délai de remboursement',
        recover_debts: 'Recouvrement des dettes',
        dispute_blocks: 'Pas de dépôt pendant un litige',
        call_ring_timeout_seconds: 'Durée de la sonnerie',
        max_free_rings: 'Sonneries sans réponse',
        max_open_requests: 'Demandes de réservation ouvertes',
        booking_auto_confirm: 'Confirmation automatique',
        booking_cancel_hours: 'Délai d’annulation',
        rating_prior_reviews: 'Poids de la note par défaut',
        message_max_length: 'Longueur maximale d’un message',
        file_max_mb: 'Taille maximale d’un fichier',
        show_contact_details: 'Coordonnées dans les discussions',
        desk_reopen_hours: 'Réouverture des dossiers d’assistance',
        reset_needs_token: 'Jeton de réinitialisation du mot de passe',
        max_sends_per_day: 'Codes par jour',
        max_sends_per_network: 'Codes par réseau et par heure',
        require_verified_teacher: 'Enseignants vérifiés seulement',
        require_student_alive: 'Facturer seulement si l’élève est présent',
        require_admin_totp: 'Double authentification des administrateurs',
      },
      meanings: {
        commission_percent: 'Part de chaque facturation d’appel que garde la plateforme, en pourcentage.',
        min_deposit: 'Dépôt minimal, dans la plus petite unité de la monnaie.',
        min_withdrawal: 'Retrait minimal, dans la plus petite unité de la monnaie.',
        payout_account_hold_hours: 'Combien d’heures après son ajout un compte de paiement est utilisable.',
        payout_checker_from:
          'Un paiement, ou un lot de paiements, d’au moins ce montant exige un second administrateur. 0 : jamais.',
        require_payout_account:
          'Un retrait va vers un des comptes de paiement de l’enseignant, et non vers un texte libre.',
        max_balance:
          'Solde maximal d’un élève auquel un dépôt peut mener, dans la plus petite unité de la monnaie. 0\u00a0: sans limite.',
        max_deposits_month:
          'Somme maximale des dépôts d’un élève par mois civil (UTC), dans la plus petite unité de la monnaie. 0\u00a0: sans limite.',
        deposit_refunds:
          'Remboursement de l’argent qu’un élève n’a pas dépensé. 0\u00a0: non proposé, 1\u00a0: un administrateur décide, 2\u00a0: envoyé aussitôt.',
        deposit_refund_days: 'Pendant combien de jours après un dépôt il peut être remboursé. 0\u00a0: sans limite.',
        recover_debts: 'Les dépôts suivants d’un élève paient d’abord ce qu’il doit à cause de litiges.',
        dispute_blocks: 'Un élève avec un litige ouvert ou une dette ne peut pas faire de nouveau dépôt.',
        call_ring_timeout_seconds: 'Nombre de secondes pendant lesquelles un appel sonne avant d’être manqué.',
        max_free_rings:
          'Combien de fois en 10 minutes un élève peut faire sonner un enseignant sans que l’appel soit accepté.',
        max_open_requests: 'Combien de demandes de réservation sans réponse un élève peut avoir en même temps.',
        booking_auto_confirm: 'Les réservations sont confirmées aussitôt, sans attendre l’enseignant.',
        booking_cancel_hours: 'Combien d’heures avant son début une réservation ne peut plus être annulée ni déplacée.',
        rating_prior_reviews:
          'Quand les enseignants sont triés par note, chacun compte ce nombre d’avis à 4 étoiles en plus, pour que quelques bons avis ne suffisent pas à le placer en tête.',
        message_max_length: 'Longueur maximale d’un message, en caractères.',
        file_max_mb: 'Taille maximale d’un fichier envoyé, en Mio.',
        show_contact_details: 'Les interlocuteurs voient le téléphone, l’adresse et la ville l’un de l’autre.',
        desk_reopen_hours: 'Un message rouvre un dossier résolu depuis moins de ce nombre d’heures. 0 : jamais.',
        reset_needs_token: 'Une réinitialisation exige son jeton, même depuis le client qui a saisi le code.',
        max_sends_per_day:
          'Nombre maximal de codes envoyés par jour, par e-mail et SMS, à toutes les personnes ensemble.',
        max_sends_per_network:
          'Nombre maximal de codes qu’un même réseau peut demander par e-mail en une heure, et un tiers de ce nombre par SMS. Derrière le réseau d’un opérateur mobile ou d’une école, il y a de nombreuses personnes.',
        require_verified_teacher: 'Seuls les enseignants vérifiés par un administrateur sont listés et joignables.',
        require_student_alive:
          'Une tranche d’appel n’est facturée qu’après que l’application de l’élève a signalé sa présence. Exige des applications qui le font.',
        require_admin_totp: 'Un administrateur sans double authentification ne peut rien faire d’autre que l’activer.',
      },
    },
  ),
);
