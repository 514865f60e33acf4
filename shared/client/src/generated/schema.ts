// Generated from the gateway's OpenAPI document by `npm run generate -w shared/client`; do not edit.

export interface paths {
    "/api/admin/admins": {
        /**
         * Administrators
         * @description For administrators. All administrators, including inactive ones.
         */
        get: operations["getAdminAdmins"];
        /**
         * Create an administrator
         * @description For super administrators. The new administrator has the level `default` and can log in immediately. Without `roles` the role is `all`. `statusCode` is 201 and `data` a sentence. 422 for an e-mail in use, and for a password that is among the most common or contains the name or the name part of the e-mail.
         */
        post: operations["postAdminAdmins"];
    };
    "/api/admin/admins/{id}": {
        /**
         * An administrator
         * @description For administrators. One administrator, by id.
         */
        get: operations["getAdminAdminsId"];
        /**
         * Activate or deactivate an administrator
         * @description For super administrators. Deactivation ends the administrator's sessions within a second. 409 for the caller's own account and for the last active super administrator.
         */
        put: operations["putAdminAdminsId"];
    };
    "/api/admin/admins/{id}/roles": {
        /**
         * Replace an administrator's roles
         * @description For super administrators. The rights of an administrator are the union of the rights of the roles. The change takes effect within a second, in open streams and running downloads and uploads too; sessions stay. A repeated role counts once. 409 for the caller's own account and for a super administrator, who has every right.
         */
        put: operations["putAdminAdminsIdRoles"];
    };
    "/api/admin/admins/access": {
        /**
         * Access of administrators
         * @description For super administrators. Per administrator, in the order of the ids: the time of the last recorded login or null, whether two-factor authentication is on, the number of live sessions, and the roles; a super administrator has every right and is shown with `all`.
         */
        get: operations["getAdminAdminsAccess"];
    };
    "/api/admin/auditall": {
        /**
         * Audit log of all services
         * @description For super administrators. Paged, newest first: each change by an administrator with the values before and after it. `filter_value` searches the whole entry and the person that it is about; `action` and `subject` take an exact value (`user.updated`, `user:12`) or a kind (`user`); `from` and `to` are days, both included.
         */
        post: operations["postAdminAuditall"];
    };
    "/api/admin/auth/invitations/accept": {
        /**
         * Accept an invitation
         * @description Public. `token` is the fragment of the link. Creates the administrator with the level `default` and the roles of the invitation, who then logs in as usual. A wrong, old, used or withdrawn token is the same 404. 422 for a password that is among the most common or contains the name or the name part of the e-mail.
         */
        post: operations["postAdminAuthInvitationsAccept"];
    };
    "/api/admin/auth/login": {
        /**
         * Log in as an administrator
         * @description Public. Returns a token that expires after 12 hours without use. Every refusal is the same 404; many failures lock the account for a while, with the same answer. With two-factor authentication the right password also needs a `code`: six digits of the app, of the current or an adjacent step of 30 seconds, or a recovery code. A missing code is a 403 "A code is required."; a wrong or used code is a 403 "The code is invalid.", which counts as a failure.
         */
        post: operations["postAdminAuthLogin"];
    };
    "/api/admin/auth/logout": {
        /**
         * End the token in use
         * @description For administrators. The token ends everywhere within a second.
         */
        post: operations["postAdminAuthLogout"];
    };
    "/api/admin/auth/me": {
        /**
         * Own account of an administrator
         * @description For administrators. The caller's name, e-mail, level and status.
         */
        get: operations["getAdminAuthMe"];
        /**
         * Change the own account
         * @description For administrators. Only the fields that are sent change. A new `email` or `password` needs `current_password` (wrong or missing: 422), ends the caller's other tokens and is reported to the old address. 422 for an e-mail in use, and for a password that is among the most common or contains the name or the name part of the e-mail.
         */
        put: operations["putAdminAuthMe"];
    };
    "/api/admin/auth/reset-password": {
        /**
         * Set an administrator's new password
         * @description Public. Needs the code that was sent; a wrong, expired or unknown code is a 404, and after five wrong tries from one network every code for the address is refused there for a while. Ends all tokens of the administrator, who is notified; two-factor authentication stays on. 422 for a password that is among the most common or contains the name or the name part of the e-mail.
         */
        post: operations["postAdminAuthResetPassword"];
    };
    "/api/admin/auth/reset-password-send-code": {
        /**
         * Send an administrator a code to reset the password
         * @description Public. Sends a six-digit code to the e-mail address of an active administrator; it is valid for ten minutes. The answer is always the same. At most one code a minute is sent, within the budgets of the address and of the client's network.
         */
        post: operations["postAdminAuthResetPasswordSendCode"];
    };
    "/api/admin/auth/rights": {
        /**
         * Own rights of an administrator
         * @description For administrators. The caller's level, roles and rights. A super administrator has every right, and is shown with the role `all`.
         */
        get: operations["getAdminAuthRights"];
    };
    "/api/admin/auth/totp": {
        /**
         * Whether two-factor authentication is on
         * @description For administrators. The caller's two-factor authentication; it is off until it has been confirmed.
         */
        get: operations["getAdminAuthTotp"];
        /**
         * Switch two-factor authentication on
         * @description For administrators. A code of the app confirms that the app has the secret, and cannot be used again; a wrong code is a 422. The ten recovery codes are in this answer only: each replaces a code once.
         */
        put: operations["putAdminAuthTotp"];
        /**
         * Begin two-factor authentication
         * @description For administrators. Returns a shared secret for an authenticator app (RFC 6238: SHA-1, six digits, 30 seconds) and its link, to be shown as a QR code. It has no effect until `PUT` confirms it; each request returns a new secret. Needs the `current_password`; a wrong password is a 422. 409 while two-factor authentication is on.
         */
        post: operations["postAdminAuthTotp"];
        /**
         * Switch two-factor authentication off
         * @description For administrators. Needs the `current_password`; a wrong password is a 422. Deletes the recovery codes too.
         */
        delete: operations["deleteAdminAuthTotp"];
    };
    "/api/admin/bookingsall": {
        /**
         * List all lessons, newest first
         * @description For administrators. Paged. `user_id` finds the lessons of a student or teacher, `filter_value` the lessons of people with a similar name, e-mail or phone number, or with that id; `from` and `to` limit the UTC day of the request, `starts_from` and `starts_to` that of the start.
         *
         *     Needs the right `lessons`.
         */
        post: operations["postAdminBookingsall"];
    };
    "/api/admin/breaks/{id}": {
        /**
         * Resolve a break, or open it again
         * @description For administrators. Sets status and note; a note is required. It moves no money. 409 when a newer break of the same kind and reference is open. A repeat changes nothing.
         *
         *     Needs the right `approve`.
         */
        put: operations["putAdminBreaksId"];
    };
    "/api/admin/breaksall": {
        /**
         * Breaks between the ledger and payment providers, newest first
         * @description For administrators. Paged. A break is a difference between our records and those of a provider; it never moves money. `filter_value` searches reference and note, or is an exact id; `from` and `to` are days, both included.
         *
         *     Needs the right `money`.
         */
        post: operations["postAdminBreaksall"];
    };
    "/api/admin/calls/{identifier}": {
        /**
         * Show a call with its charges, refunds and timeline
         * @description For administrators. Charges and refunds come from the ledger; `billed` in the timeline is a charge. 503 while payments are unavailable.
         *
         *     Needs the right `lessons`.
         */
        get: operations["getAdminCallsIdentifier"];
    };
    "/api/admin/calls/{identifier}/refund": {
        /**
         * Refund a call to its student, wholly or in part
         * @description For super administrators. Teacher and platform pay the refund pro rata. Without `amount` the whole rest is refunded; more than the rest is a 422. 409 if the teacher's money is no longer available. The audit log stores `reason` with the refunded amount. Returns the student's payment. Send an `Idempotency-Key`, so that a retry does not refund twice.
         */
        post: operations["postAdminCallsIdentifierRefund"];
    };
    "/api/admin/callsall": {
        /**
         * List all calls, newest first
         * @description For administrators. Paged. `user_id` finds the calls of a student or teacher, `filter_value` the call with that `identifier` and the calls of people with a similar name, e-mail or phone number; `from` and `to` limit the UTC day on which the call rang.
         *
         *     Needs the right `lessons`.
         */
        post: operations["postAdminCallsall"];
    };
    "/api/admin/deposit-refunds/{id}": {
        /**
         * Decide on a refund of a deposit
         * @description For administrators. `sent` asks the payment provider for the refund, once; where the provider makes no refunds, make it by hand and set `success`. `rejected` needs `details`, which the student reads. `success` and `failed` settle a refund that was sent, where the provider makes none or no longer answers (else 409). Send `expected_status`, the status that you saw: 409 if it has changed. Any other move is a 409; repeating the current status changes only `ref` and `details`.
         *
         *     Needs the right `approve`.
         */
        put: operations["putAdminDepositRefundsId"];
    };
    "/api/admin/deposit-refundsall": {
        /**
         * Refunds of deposits, newest first
         * @description For administrators. Paged. `filter_value` searches reference, details and the user, or is an exact id; `from` and `to` are days, both included. An unknown `user_id` is a 422; an unknown `deposit_id` has no refunds.
         *
         *     Needs the right `money`.
         */
        post: operations["postAdminDepositRefundsall"];
    };
    "/api/admin/deposits/{id}": {
        /**
         * One deposit
         * @description For administrators. One deposit with its user, by id.
         *
         *     Needs the right `money`. Contact data is masked for administrators without the right `contacts`, and not searched for them.
         */
        get: operations["getAdminDepositsId"];
        /**
         * Decide on a deposit
         * @description For super administrators. A move into `success` credits the user; a move out of it takes the money back, or is a 409 if the user no longer has it. Repeating the current status changes nothing. Send `expected_status`, the status that you saw, so that two administrators cannot both decide: 409 if the status has changed.
         */
        put: operations["putAdminDepositsId"];
    };
    "/api/admin/depositsall": {
        /**
         * Deposits, newest first
         * @description For administrators. Paged. `filter_value` searches reference, details, method and the user; a record with exactly that id comes first. `from` and `to` are days, both included. An unknown `user_id` is a 422.
         *
         *     Needs the right `money`. Contact data is masked for administrators without the right `contacts`, and not searched for them.
         */
        post: operations["postAdminDepositsall"];
    };
    "/api/admin/desk/agents": {
        /**
         * Administrators who can have support cases
         * @description For administrators. The active administrators with the right `desk`, by name.
         *
         *     Needs the right `desk`.
         */
        get: operations["getAdminDeskAgents"];
    };
    "/api/admin/desk/cases": {
        /**
         * Begin a support case
         * @description For administrators. Sends the message to the user, who gets a push, and assigns the case to its author. 409 while a case of the user is open or snoozed, and when the account is deleted.
         *
         *     Needs the right `desk`.
         */
        post: operations["postAdminDeskCases"];
    };
    "/api/admin/desk/cases/{id}": {
        /**
         * A support case with its notes and timeline
         * @description For administrators. Its messages are those of `GET api/admin/rooms/{uuid}`. `timeline` has the newest 1,000 lines, `others` the newest 100 cases. A rating that is changed again and again gets at most 20 lines in a row.
         *
         *     Needs the right `desk`.
         */
        get: operations["getAdminDeskCasesId"];
        /**
         * Change a support case
         * @description For administrators. Only the fields that are sent change. `open` can follow `snoozed` and `resolved`, `snoozed` only `open`, `resolved` both. Resolving sends `support.resolved` to the user. 409 for another version than `expected_version`, for a state that cannot follow, for opening a case while another one of the user is open, and for a subject when the account is deleted.
         *
         *     Needs the right `desk`.
         */
        put: operations["putAdminDeskCasesId"];
    };
    "/api/admin/desk/cases/{id}/notes": {
        /**
         * Add a note to a support case
         * @description For administrators. The user never sees a note. A case has at most 500: beyond that a 409, also when the account is deleted.
         *
         *     Needs the right `desk`.
         */
        post: operations["postAdminDeskCasesIdNotes"];
    };
    "/api/admin/desk/casesall": {
        /**
         * Support cases, longest wait first
         * @description For administrators. Paged. `order` `asc` reverses `sort`. A search takes the newest 300 matching messages and the newest 300 matching notes of all cases, then filters their cases; of names it finds up to 300 cases that pass the filters. `filter_value` is the same as `q`.
         *
         *     Needs the right `desk`.
         */
        post: operations["postAdminDeskCasesall"];
    };
    "/api/admin/desk/counts": {
        /**
         * Numbers of support cases
         * @description For administrators.
         *
         *     Needs the right `desk`.
         */
        get: operations["getAdminDeskCounts"];
    };
    "/api/admin/desk/notes/{note_id}": {
        /**
         * Change an own note
         * @description For administrators: only its author, otherwise 403.
         *
         *     Needs the right `desk`.
         */
        put: operations["putAdminDeskNotesNoteId"];
        /**
         * Delete a note
         * @description For administrators: its author and super administrators, otherwise 403.
         *
         *     Needs the right `desk`.
         */
        delete: operations["deleteAdminDeskNotesNoteId"];
    };
    "/api/admin/desk/presence": {
        /**
         * Tell the desk what you do with a case
         * @description For administrators. Answers with the other administrators who are at the case. A state lasts 15 seconds: send it again before. The desk receives `desk.presence`.
         *
         *     Needs the right `desk`.
         */
        put: operations["putAdminDeskPresence"];
    };
    "/api/admin/desk/replies": {
        /**
         * Saved replies, by shortcut
         * @description For administrators.
         *
         *     Needs the right `desk`.
         */
        get: operations["getAdminDeskReplies"];
        /**
         * Save a reply
         * @description For administrators. `{{user.name}}`, `{{user.first_name}}`, `{{agent.name}}` and `{{case.id}}` in its texts are filled in by `render`. A shortcut in use is a 422. There are at most 500 replies: beyond that a 409.
         *
         *     Needs the right `desk`.
         */
        post: operations["postAdminDeskReplies"];
    };
    "/api/admin/desk/replies/{id}": {
        /**
         * A saved reply
         * @description For administrators.
         *
         *     Needs the right `desk`.
         */
        get: operations["getAdminDeskRepliesId"];
        /**
         * Change a saved reply
         * @description For administrators. Replaces shortcut and texts. A shortcut in use is a 422.
         *
         *     Needs the right `desk`.
         */
        put: operations["putAdminDeskRepliesId"];
        /**
         * Delete a saved reply
         * @description For administrators.
         *
         *     Needs the right `desk`.
         */
        delete: operations["deleteAdminDeskRepliesId"];
    };
    "/api/admin/desk/replies/{id}/render": {
        /**
         * Fill in a saved reply for a case
         * @description For administrators. In the user's language. Unknown fields stay as they are. Sends nothing.
         *
         *     Needs the right `desk`.
         */
        post: operations["postAdminDeskRepliesIdRender"];
    };
    "/api/admin/desk/stats": {
        /**
         * What the desk did in these days
         * @description For administrators. UTC days, both included, 366 at most. Each figure counts what happened in these days; `resolution` counts from the last opening; an agent has the cases that he resolved.
         *
         *     Needs the right `desk`.
         */
        get: operations["getAdminDeskStats"];
    };
    "/api/admin/disputes/{id}": {
        /**
         * A dispute with its timeline
         * @description For administrators. `timeline` has each status, and `taken`, `returned`, `recovered` and `written_off` when its money moved.
         *
         *     Needs the right `money`.
         */
        get: operations["getAdminDisputesId"];
    };
    "/api/admin/disputes/{id}/evidence": {
        /**
         * Evidence about a dispute
         * @description For administrators. What the deposit bought, oldest money first: calls with their times, steps and receipts, and both names; and the networks (/24) from which the student signed in. It never contains messages.
         *
         *     Needs the right `money`.
         */
        get: operations["getAdminDisputesIdEvidence"];
    };
    "/api/admin/disputes/{id}/write-off": {
        /**
         * Write off the debt of a dispute
         * @description For super administrators. `owed` becomes zero: the platform bears the loss. The audit log stores `reason`. Repeated, it changes nothing.
         */
        post: operations["postAdminDisputesIdWriteOff"];
    };
    "/api/admin/disputesall": {
        /**
         * Disputes, newest first
         * @description For administrators. Paged. A dispute is money that a payment provider takes back, or asks about, for a payer; a refund made at the provider is one with the reason `refund`. `filter_value` searches the provider’s id, the reason and the user, or is an exact id. An unknown `user_id` is a 422; an unknown `deposit_id` has no disputes.
         *
         *     Needs the right `money`.
         */
        post: operations["postAdminDisputesall"];
    };
    "/api/admin/invitations": {
        /**
         * Invitations of administrators, newest first
         * @description For super administrators. The newest 1,000, whatever their status.
         */
        get: operations["getAdminInvitations"];
        /**
         * Invite an administrator
         * @description For super administrators. Mails a link to a page of the dashboard where the invited person sets a password; the link is valid for 72 hours and works once. An open invitation of the address is withdrawn. 422 for the address of an administrator. Send an `Idempotency-Key`, so that a retry does not send a second mail.
         */
        post: operations["postAdminInvitations"];
    };
    "/api/admin/invitations/{id}": {
        /**
         * Withdraw an invitation
         * @description For super administrators. The link ends at once. 409 unless the invitation is open.
         */
        delete: operations["deleteAdminInvitationsId"];
    };
    "/api/admin/invitations/{id}/resend": {
        /**
         * Send an invitation again
         * @description For super administrators. Mails a new link, which is valid for 72 hours; the old one ends. 409 unless the invitation is open.
         */
        post: operations["postAdminInvitationsIdResend"];
    };
    "/api/admin/payout-batches": {
        /**
         * Make a batch of payouts
         * @description For administrators. Claims 1 to 1,000 withdrawals for the caller, all or none: 409 for the first that cannot be taken, 422 for a repeated or unknown id. `pain.001` is for payouts to an IBAN, `provider` for payouts to a stored account whose method a payment provider pays (409). From the setting `payout_checker_from` on, another administrator must approve it.
         *
         *     Needs the right `payout`.
         */
        post: operations["postAdminPayoutBatches"];
    };
    "/api/admin/payout-batches/{id}": {
        /**
         * One batch of payouts
         * @description For administrators. `count` and `amount` are without removed items.
         *
         *     Needs the right `money`.
         */
        get: operations["getAdminPayoutBatchesId"];
    };
    "/api/admin/payout-batches/{id}/approve": {
        /**
         * Approve a batch of payouts
         * @description For administrators. A draft becomes `approved`. 409 for the own batch while `needs_approval`, for super administrators too, and when the batch has another version than `expected_version`.
         *
         *     Needs the right `approve`.
         */
        post: operations["postAdminPayoutBatchesIdApprove"];
    };
    "/api/admin/payout-batches/{id}/cancel": {
        /**
         * Cancel a batch of payouts
         * @description For administrators. Before the export. Its withdrawals wait for an administrator again.
         *
         *     Needs the right `payout`.
         */
        post: operations["postAdminPayoutBatchesIdCancel"];
    };
    "/api/admin/payout-batches/{id}/export": {
        /**
         * Write the file of a batch, or send its payouts
         * @description For administrators. Writes the file of an approved batch once and sets its items `sent`; a repeat returns the batch and changes nothing. With the format `provider` there is no file: the payouts are sent to their payment providers in the background, each once, and the providers are asked what became of them. 409 when its maker approved it and another administrator must by now.
         *
         *     Needs the right `payout`.
         */
        post: operations["postAdminPayoutBatchesIdExport"];
    };
    "/api/admin/payout-batches/{id}/file": {
        /**
         * Download the file of a batch
         * @description For administrators, who also need the right `contacts`. Always the same bytes, without the envelope, with their `Content-Digest`. Each download is in the audit log. 409 before the export, and for the format `provider`.
         *
         *     Needs the right `payout`.
         */
        get: operations["getAdminPayoutBatchesIdFile"];
    };
    "/api/admin/payout-batches/{id}/items": {
        /**
         * The payouts of a batch, newest first
         * @description For administrators. Paged. `reference` is what a bank or operator must name in its results.
         *
         *     Needs the right `money`. Contact data is masked for administrators without the right `contacts`, and not searched for them.
         */
        get: operations["getAdminPayoutBatchesIdItems"];
    };
    "/api/admin/payout-batches/{id}/items/{item_id}": {
        /**
         * Settle a payout by hand
         * @description For administrators; not for the maker of the batch while `needs_approval` (409). `paid` or `failed` for a payout that is `sent` or `uncertain`; `returned`, for super administrators, when the bank has sent back a paid one. Anything else is a 409. A payment provider may be paying what is `sent` to it: 409 until it is `uncertain`. The owner reads the `message` of `failed` and `returned`.
         *
         *     Needs the right `approve`. Contact data is masked for administrators without the right `contacts`, and not searched for them.
         */
        put: operations["putAdminPayoutBatchesIdItemsItemId"];
        /**
         * Take a payout out of a draft
         * @description For administrators. Its withdrawal waits for an administrator again. 409 once the batch is approved.
         *
         *     Needs the right `payout`.
         */
        delete: operations["deleteAdminPayoutBatchesIdItemsItemId"];
    };
    "/api/admin/payout-batches/{id}/results": {
        /**
         * Read the results of a bank or operator
         * @description For administrators. A form with the field `file`: CSV with the columns `reference` and `status`, and optionally `provider_ref`, `message` and `amount`; of at most 5 MiB (413) and 5,000 lines without the head (422). Only reads: answers what each line means, and changes nothing before it is applied. 409 before the export, and for the format `provider`.
         *
         *     Needs the right `payout`.
         */
        post: operations["postAdminPayoutBatchesIdResults"];
    };
    "/api/admin/payout-batches/{id}/results/{import_id}/apply": {
        /**
         * Apply results that were read
         * @description For administrators. Applies the lines `paid`, `failed` and `uncertain`, each in a transaction; what contradicts a settled payout becomes a break. A payout that is `uncertain` is never released by results. A repeat applies what is left and answers the same.
         *
         *     Needs the right `payout`.
         */
        post: operations["postAdminPayoutBatchesIdResultsImportIdApply"];
    };
    "/api/admin/payout-batches/preview": {
        /**
         * What a batch of these withdrawals would be
         * @description For administrators. Changes nothing. `excluded` are the withdrawals that a batch cannot take, with the reason; `warnings` are about the others.
         *
         *     Needs the right `payout`.
         */
        post: operations["postAdminPayoutBatchesPreview"];
    };
    "/api/admin/payout-batchesall": {
        /**
         * Batches of payouts, newest first
         * @description For administrators. Paged. `filter_value` searches the note, or is an exact id; `from` and `to` are days of creation, both included.
         *
         *     Needs the right `money`.
         */
        post: operations["postAdminPayoutBatchesall"];
    };
    "/api/admin/plans": {
        /**
         * Add a plan
         * @description For super administrators. A name in use is a 422.
         */
        post: operations["postAdminPlans"];
    };
    "/api/admin/plans/{id}": {
        /**
         * Change a plan
         * @description For super administrators. Only the fields that are sent change. A name in use is a 422.
         */
        put: operations["putAdminPlansId"];
        /**
         * Delete an unused plan
         * @description For super administrators. 409 while a teacher has it.
         */
        delete: operations["deleteAdminPlansId"];
    };
    "/api/admin/reconciliations": {
        /**
         * Compare a provider's report with the ledger
         * @description For administrators. A form with the fields `file` (in the form of the results of a batch), `provider`, `from` and `to` (UTC days, both included; `to` at most 366 days after `from`). Compares payouts by reference, of the methods of which the report names any, and deposits by `provider_ref` where the report has any. Every difference becomes a break; no money moves. The same report again answers the first comparison.
         *
         *     Needs the right `payout`.
         */
        post: operations["postAdminReconciliations"];
    };
    "/api/admin/reports/{id}": {
        /**
         * A report
         * @description For administrators. One report, by id.
         *
         *     Needs the right `trust`.
         */
        get: operations["getAdminReportsId"];
        /**
         * Decide about a report
         * @description For administrators. Sets the status, and the note if one is given; the reporter is not notified. A repeat changes nothing.
         *
         *     Needs the right `trust`.
         */
        put: operations["putAdminReportsId"];
    };
    "/api/admin/reportsall": {
        /**
         * Reports, newest first
         * @description For administrators. Paged. `user_id` is the reported user; an unknown one is a 422. `filter_value` searches details, note and both people, or is an exact id; `from` and `to` are days, both included.
         *
         *     Needs the right `trust`.
         */
        post: operations["postAdminReportsall"];
    };
    "/api/admin/reviews/{id}": {
        /**
         * Hide or show a review
         * @description For administrators. A hidden review counts neither in the mean nor in the number, but is still the only review of its call. `reason` is kept in the audit log.
         *
         *     Needs the right `trust`.
         */
        put: operations["putAdminReviewsId"];
    };
    "/api/admin/reviewsall": {
        /**
         * List all reviews, newest first
         * @description For administrators. Paged. `user_id` finds the reviews by a student or of a teacher, `filter_value` reviews with a similar comment, reply or `identifier`, of people with a similar name, e-mail or phone number, or with that id.
         *
         *     Needs the right `trust`.
         */
        post: operations["postAdminReviewsall"];
    };
    "/api/admin/roles": {
        /**
         * Roles and their rights
         * @description For administrators. Every role, with the rights that it gives.
         */
        get: operations["getAdminRoles"];
    };
    "/api/admin/rooms": {
        /**
         * Support rooms, latest activity first
         * @description For administrators. The newest 1,000; for older ones, pass the uuid of the last one as `before`. Each with its user and last message. `user_id`: only this user's room. `unanswered`: only rooms whose last message is the user's, without those of deleted accounts.
         *
         *     Needs the right `desk`. Contact data is masked for administrators without the right `contacts`, and not searched for them.
         */
        get: operations["getAdminRooms"];
    };
    "/api/admin/rooms/{uuid}": {
        /**
         * A support room with its messages
         * @description For administrators. Chronological: the newest 500, or the window that the cursors ask for. Fetching marks the user's messages read, for all administrators.
         *
         *     Needs the right `desk`.
         */
        get: operations["getAdminRoomsUuid"];
    };
    "/api/admin/rooms/{uuid}/files": {
        /**
         * Upload a file for a user
         * @description For administrators, for a support room; 409 when the account is deleted. A form with the field `file`. Its limit in MiB is the setting `file_max_mb` (413 above it). The bytes decide about the type: an image (HEIC, too) is turned upright, loses its metadata and is made smaller when it is very large; an image that cannot be shown is a `file`, a recording without video is `audio`. To share the file, send a message with its `url` as `message_link`. A file that no message uses within 24 hours is deleted. 429 beyond 200 files or 500 MiB a day.
         *
         *     Needs the right `desk`.
         */
        post: operations["postAdminRoomsUuidFiles"];
    };
    "/api/admin/rooms/{uuid}/messages": {
        /**
         * Reply to a user
         * @description For administrators. Requires `message`, or a `message_link` to a file. The user receives `support.message` and gets a push. 409 when the account is deleted. The reply takes an unassigned case. `resolve`: also resolves the user's case, if one is open or snoozed. A repeat with the same `client_message_id` or `Idempotency-Key` sends nothing twice.
         *
         *     Needs the right `desk`.
         */
        post: operations["postAdminRoomsUuidMessages"];
    };
    "/api/admin/services": {
        /**
         * Add a call service
         * @description For super administrators. `iterator` is 2 to 3600 seconds, costs are 0 or more. A name that is in use is a 422.
         */
        post: operations["postAdminServices"];
    };
    "/api/admin/services/{id}": {
        /**
         * Change a call service
         * @description For super administrators. Only the fields in the request change; accepted calls keep their prices. `VIDEO` and `AUDIO` cannot be renamed (409).
         */
        put: operations["putAdminServicesId"];
        /**
         * Delete a call service that no call has used
         * @description For super administrators. 409 for `VIDEO`, `AUDIO` and any service that a call has used.
         */
        delete: operations["deleteAdminServicesId"];
    };
    "/api/admin/settings/{id}": {
        /**
         * A setting
         * @description For administrators. One setting, by id.
         */
        get: operations["getAdminSettingsId"];
        /**
         * Change a setting
         * @description For super administrators. Takes effect in every service within two seconds. A value outside the setting's bounds is a 422.
         */
        put: operations["putAdminSettingsId"];
    };
    "/api/admin/settingsall": {
        /**
         * Settings
         * @description For administrators. Paged: values that can be changed at run time, each with a description.
         */
        post: operations["postAdminSettingsall"];
    };
    "/api/admin/skills": {
        /**
         * Add a skill
         * @description For super administrators. A name in use is a 422.
         */
        post: operations["postAdminSkills"];
    };
    "/api/admin/skills/{id}": {
        /**
         * Rename a skill
         * @description For super administrators. Profiles with the skill show the new name shortly after. A name in use is a 422.
         */
        put: operations["putAdminSkillsId"];
        /**
         * Delete an unused skill
         * @description For super administrators. 409 while a student or teacher has it.
         */
        delete: operations["deleteAdminSkillsId"];
    };
    "/api/admin/stats": {
        /**
         * Statistics
         * @description For administrators. Figures of users, money, calls and messages, at most five seconds old; a service that is down contributes its last known figures.
         *
         *     Needs the right `figures`.
         */
        get: operations["getAdminStats"];
    };
    "/api/admin/stats/daily": {
        /**
         * Daily statistics
         * @description For administrators. One row per UTC day from `from` to `to`, oldest first, at most 366. Money counts on the day of its movement, a call on the day of its acceptance, a booking or review on the day of its creation. 503 while a service is down.
         *
         *     Needs the right `figures`.
         */
        get: operations["getAdminStatsDaily"];
    };
    "/api/admin/users/{id}": {
        /**
         * A student or teacher
         * @description For administrators. The user's own view of the profile, and `banned`: by whom, when and why, else null.
         *
         *     Needs the right `people`. Contact data is masked for administrators without the right `contacts`, and not searched for them.
         */
        get: operations["getAdminUsersId"];
        /**
         * Ban, readmit or verify
         * @description For administrators. A ban ends every session within a second, and the live call; `status` `active` also ends a lock-out. `verified` is for teachers only (422). Only the fields that are sent change. `reason` is stored in the audit log with the change; the reason of a ban is also shown in `banned`.
         *
         *     Needs the right `standing`. Contact data is masked for administrators without the right `contacts`, and not searched for them.
         */
        put: operations["putAdminUsersId"];
    };
    "/api/admin/users/{id}/wallet": {
        /**
         * A student's or teacher's balance
         * @description For administrators. The same as the owner sees: `held` is reserved for a call or a withdrawal.
         *
         *     Needs the right `money`.
         */
        get: operations["getAdminUsersIdWallet"];
    };
    "/api/admin/usersall": {
        /**
         * Find students and teachers
         * @description For administrators. Paged, newest first. `filter_value` searches name, e-mail and phone number; if it is the id of a user, that user comes first. `from` and `to` are days of registration, both included.
         *
         *     Needs the right `people`. Contact data is masked for administrators without the right `contacts`, and not searched for them.
         */
        post: operations["postAdminUsersall"];
    };
    "/api/admin/withdrawals/{id}": {
        /**
         * One withdrawal
         * @description For administrators. One withdrawal with its user, by id.
         *
         *     Needs the right `money`. Contact data is masked for administrators without the right `contacts`, and not searched for them.
         */
        get: operations["getAdminWithdrawalsId"];
        /**
         * Decide on a withdrawal
         * @description For administrators. `pending` claims the withdrawal, `success` pays out the held amount, `failed` and `canceled` release it; only a super administrator may move it out of `success`. 409 while the withdrawal is in an open batch of payouts; one that a batch has paid can only become `failed`, as a payout that came back. From the setting `payout_checker_from` on, `success` needs that another administrator has claimed it (409). With the right `approve` and without `payout` only `success` of a withdrawal that another administrator has claimed is possible, anything else is a 403. 409 if the move needs money that is not available. Repeating the current status changes nothing. Send `expected_status`, the status that you saw, so that two administrators cannot both decide: 409 if the status has changed.
         *
         *     Needs the right `payout`, or `approve`. Contact data is masked for administrators without the right `contacts`, and not searched for them.
         */
        put: operations["putAdminWithdrawalsId"];
    };
    "/api/admin/withdrawalsall": {
        /**
         * Withdrawals, newest first
         * @description For administrators. Paged. `filter_value` searches reference, details, method and the user; a record with exactly that id comes first. `from` and `to` are days, both included. An unknown `user_id` is a 422. `filter_value` also searches the payout account, without blanks and punctuation. `claimed_by` is the administrator who last moved it to `pending`; `decided_by` is the one who last moved it to `success`, `failed` or `canceled`, and is null while it is open or if its owner canceled it.
         *
         *     Needs the right `money`. Contact data is masked for administrators without the right `contacts`, and not searched for them.
         */
        post: operations["postAdminWithdrawalsall"];
    };
    "/api/assets/avatar.png": {
        /**
         * The default photo
         * @description Public. The photo of users who have not set one. An image, without the envelope.
         */
        get: operations["getAssetsAvatarPng"];
    };
    "/api/auth/device": {
        /**
         * Set the device key for push
         * @description For students and teachers. Sets the device key of the session in use and removes it from every other session of any user; `""` removes it. The field is required. Returns the session; 404 with an API token.
         */
        put: operations["putAuthDevice"];
    };
    "/api/auth/getToken": {
        /**
         * Create another token for a device
         * @description For students and teachers. `email` and `password` must be the caller's own, else 404. Returns a new token with the device's key for push (`device_key`, or its aliases `device_token` and `fcm_token`). The current token stays valid.
         */
        post: operations["postAuthGetToken"];
    };
    "/api/auth/login": {
        /**
         * Log in by password, phone code or social token
         * @description Public. `email` and `password` (`gauth_type` `email` or none) log in to any account with that proven e-mail and a password, however it was registered. With `gauth_type` `phone_number` the `password` is the code from `auth/login/send-code`; `google`, `apple` and `facebook` need a valid `gauth_token`: an ID token of Google or Apple, an access token of Facebook or its signed token of Limited Login. A token can be used repeatedly until it expires. A `nonce` must equal the token's nonce, which may be the SHA-256 of it in hex. 503 while the provider cannot be reached. `device_key` is the address for push, `device_name` the name in the list of sessions. Every refusal is the same 404, so that it does not reveal which accounts exist; many failures lock the account for a while, with the same answer. A user has at most 20 sessions: a new one ends the one unused for longest.
         */
        post: operations["postAuthLogin"];
    };
    "/api/auth/login/send-code": {
        /**
         * Send a login code to a phone
         * @description Public. Sends a six-digit code by SMS to an account that logs in by phone; it is valid for ten minutes. The answer is always the same. At most one code a minute is sent, within the budgets of the number and of the client's network, and only to the configured countries.
         */
        post: operations["postAuthLoginSendCode"];
    };
    "/api/auth/logout": {
        /**
         * End the token in use
         * @description For students and teachers. The token ends everywhere within a second, with its streams of live events and its push messages. The user's other tokens stay valid.
         */
        post: operations["postAuthLogout"];
    };
    "/api/auth/register": {
        /**
         * Register a student or a teacher
         * @description Public. Stores the submission and sends a six-digit code that is valid for ten minutes: by e-mail, or with `gauth_type` `phone_number` by SMS only. The e-mail is then unproven: it is not shown to other users and gets no reset code until `PUT me` proves it; the number must be valid and able to receive SMS (422). A social `gauth_type` needs a `gauth_token` for the same e-mail and creates the account immediately. `password` is required unless the type is social or `phone_number`; 422 for a password that is among the most common or contains the name or the name part of the e-mail. Registering an unverified address again replaces the submission, at most five times in ten minutes (429); if the passwords differ, none is set, and the owner chooses one by a reset. A verified address is a 422.
         */
        post: operations["postAuthRegister"];
    };
    "/api/auth/register/send-code": {
        /**
         * Send the code of a registration again
         * @description Public. Sends a new code for the newest unverified registration of the e-mail, by the same channel as before; a registration by e-mail takes precedence over one by phone. The previous code is no longer valid. The answer is always the same. At most five codes are sent in ten minutes, including those of `register`, within the budgets of the address and of the client's network.
         */
        post: operations["postAuthRegisterSendCode"];
    };
    "/api/auth/register/verify": {
        /**
         * Verify an account with the code that was sent
         * @description Public. The right code creates the account and returns a token, like a login; `device_name` is the name of the device in the list of sessions. A wrong or expired code is a 404 whose `message` is an object. After five wrong tries from one network every code for the address is refused there for a while.
         */
        post: operations["postAuthRegisterVerify"];
    };
    "/api/auth/reset-password": {
        /**
         * Set a new password
         * @description Public. Needs the `reset_token`. Without it, only the client that entered the code (same address and user agent) may reset the password, for two minutes, unless the setting `reset_needs_token` forbids that; else 404. Ends every session of the account and notifies the owner. 422 for a password that is among the most common or contains the name or the name part of the e-mail. The token stays valid after a failed request.
         */
        post: operations["postAuthResetPassword"];
    };
    "/api/auth/reset-password-send-code": {
        /**
         * Send a code to reset the password
         * @description Public. Sends a six-digit code to the proven e-mail of an account, however it logs in; the code is valid for ten minutes. The answer is always the same, so that it does not reveal which accounts exist. At most one code a minute is sent, within the budgets of the address and of the client's network.
         */
        post: operations["postAuthResetPasswordSendCode"];
    };
    "/api/auth/reset-password-verify-code": {
        /**
         * Exchange the code for a reset token
         * @description Public. Returns a `reset_token` that allows one reset within ten minutes. A wrong or expired code is a 404; after five wrong tries from one network every code of the account is refused there for a while.
         */
        post: operations["postAuthResetPasswordVerifyCode"];
    };
    "/api/auth/sessions": {
        /**
         * The caller's sessions
         * @description For students and teachers. At most 20, last used first. `name` is the `device_name` of the login, by default a name derived from its user agent; `address` is the address of the login; `push` says whether the session gets push messages, `current` whether it is the one in use. `last_used_at` may be five minutes old, the order one minute. API tokens are not included.
         */
        get: operations["getAuthSessions"];
        /**
         * End all other sessions
         * @description For students and teachers. Every session except the one in use ends everywhere within a second; `ended` is their number. API tokens stay valid.
         */
        delete: operations["deleteAuthSessions"];
    };
    "/api/auth/sessions/{id}": {
        /**
         * End a session
         * @description For students and teachers. The session ends everywhere within a second, with its streams of live events and its push messages. 404 for another user's session and for an API token.
         */
        delete: operations["deleteAuthSessionsId"];
    };
    "/api/auth/tokens": {
        /**
         * The caller's API tokens
         * @description For students and teachers. The tokens created for scripts and integrations, without their secrets; tokens of logins are not included.
         */
        get: operations["getAuthTokens"];
        /**
         * Create an API token
         * @description For students and teachers. `token` is only in this answer: store it. It has its owner's rights until it is deleted or unused for 180 days. At most 100 tokens (409).
         */
        post: operations["postAuthTokens"];
    };
    "/api/auth/tokens/{id}": {
        /**
         * Delete an API token
         * @description For students and teachers. The token ends everywhere within a second. Another user's token is a 404.
         */
        delete: operations["deleteAuthTokensId"];
    };
    "/api/blocks": {
        /**
         * Users whom the caller has blocked, newest first
         * @description For students and teachers. For older blocks, pass the `user_id` of the last as `before`. A page has 50, or `limit`, at most 100.
         */
        get: operations["getBlocks"];
    };
    "/api/blocks/{user_id}": {
        /**
         * Block a user
         * @description For students and teachers. From now on neither of the two can write to the other (409) or call them (409, as if they were busy). A call that rings between them ends; an active call continues. Messages stay, and the other person is not notified. A repeat changes nothing. 404 for an unknown user or an administrator, 422 for oneself.
         */
        put: operations["putBlocksUserId"];
        /**
         * Lift a block
         * @description For students and teachers. The two can write to and call each other again, unless the other has blocked the caller too. A success also when there is no block; 404 for an unknown user or an administrator, 422 for oneself.
         */
        delete: operations["deleteBlocksUserId"];
    };
    "/api/bookings": {
        /**
         * List your lessons
         * @description For students and teachers. `state` `upcoming`, the default: open lessons that are not over, next first; `past`: all others, latest first. For the next page give the `id` of the last lesson as `before`; a page has 50 lessons, or `limit`, at most 100.
         */
        get: operations["getBookings"];
        /**
         * Book a lesson
         * @description For students. The time must consist of consecutive free slots of the teacher, otherwise 409; also 409 for a teacher who is banned or, where `require_verified_teacher` is 1, not verified. The booking is `requested` until the teacher confirms it, or `confirmed` at once where `booking_auto_confirm` is 1. At most a year ahead; 409 while `max_open_requests` requests of the student, or 3 to this teacher, wait for an answer.
         */
        post: operations["postBookings"];
    };
    "/api/bookings.ics": {
        /**
         * Get your lessons as a calendar
         * @description Public: the link of `GET api/bookings/feed`. The confirmed lessons as iCalendar (RFC 5545), without an envelope; times are in UTC. Past lessons stay for 90 days; a calendar has at most 500 lessons, upcoming ones first. `SEQUENCE` and `DTSTAMP` change only with the lesson. With its `ETag` in `If-None-Match`, an unchanged calendar is a 304. HEAD answers like GET without the body. 404, also as the HTTP status, for a link that is unknown or was renewed; 429 for a link that is read more than 120 times a minute.
         */
        get: operations["getBookingsIcs"];
    };
    "/api/bookings/{id}/cancel": {
        /**
         * Cancel a lesson
         * @description For both, until `booking_cancel_hours` before the lesson begins; later 409. A student can withdraw an unanswered request until it begins. The other side receives `reason`.
         */
        post: operations["postBookingsIdCancel"];
    };
    "/api/bookings/{id}/confirm": {
        /**
         * Confirm a lesson
         * @description For the side that has to answer: the teacher, or after a move the side that did not move it. `starts_at` is the time that the answer refers to: 409 when the time has changed. For a confirmed lesson with a `proposed_starts_at`, the answer refers to the proposal: the lesson moves. 409 when the lesson is over.
         */
        post: operations["postBookingsIdConfirm"];
    };
    "/api/bookings/{id}/decline": {
        /**
         * Decline a lesson
         * @description For the side that has to answer: the teacher, or after a move the side that did not move it. `starts_at` is the time that the answer refers to: 409 when the time has changed. For a confirmed lesson with a `proposed_starts_at`, the answer refers to the proposal: the lesson keeps its time. 409 when the lesson is over.
         */
        post: operations["postBookingsIdDecline"];
    };
    "/api/bookings/{id}/reschedule": {
        /**
         * Move a lesson
         * @description For both, until `booking_cancel_hours` before the lesson begins, for a student’s own request until it begins; later 409, also when the new time is not free. The lesson keeps its length and must begin with a slot, at most a year ahead; only students must observe `min_notice_minutes`. A request moves at once and needs a new answer. A confirmed lesson keeps its time until the other side confirms `proposed_starts_at`; until then both times are taken. The current time as `starts_at` changes nothing, except that it withdraws a proposal.
         */
        post: operations["postBookingsIdReschedule"];
    };
    "/api/bookings/feed": {
        /**
         * Get the link to your calendar of lessons
         * @description For students and teachers. Calendar apps subscribe to it. Anyone who has the link can read your lessons. It stays the same until it is renewed.
         */
        get: operations["getBookingsFeed"];
        /**
         * Renew the link to your calendar
         * @description For students and teachers. The previous link stops working at once.
         */
        post: operations["postBookingsFeed"];
    };
    "/api/call/accept": {
        /**
         * Accept a ringing call
         * @description For teachers. Reserves the cost of the first step and fixes the prices; the meter starts now. `student_user_id` and `call_type` are those of the ringing call, otherwise 404. 402 when the student cannot pay the first step: the call is canceled. A repeated request returns the same transaction.
         */
        post: operations["postCallAccept"];
    };
    "/api/call/alive": {
        /**
         * Report that the student is still in the call
         * @description For the call's student, about once in half a step while the call is on the screen. After the first sign of life, two steps without one end the call, as two steps without a bill do. Where `require_student_alive` is 1, no step is charged before the first one, and two steps without any end the call at a cost of 0. Before the teacher has accepted, it has no effect. Somebody else's call is a 404, a call that is over a 409.
         */
        post: operations["postCallAlive"];
    };
    "/api/call/bill": {
        /**
         * Charge the steps that are due
         * @description For the call's teacher, about once a step. The server owns the meter: every step that is due and not charged yet is charged once; when no step is due, the request succeeds. Without a bill for two steps the call ends. Where `require_student_alive` is 1, no step is due before the first `call/alive` of the student. A call that is unknown, not the caller's, over or out of money is refused with `statusCode` 500 and the reason. Lack of money ends the call.
         */
        post: operations["postCallBill"];
    };
    "/api/call/cancel": {
        /**
         * Stop calling a teacher
         * @description For students, while it rings. 404 when nothing rings. Both receive `call.canceled`; nothing is charged.
         */
        post: operations["postCallCancel"];
    };
    "/api/call/end": {
        /**
         * Hang up
         * @description For both people of the call. The call ends at once; the steps that were due by then are still charged, and the rest of the reserve is released. A repeated request succeeds. A call or room that is not the caller's is a 404, a malformed or unknown one a 422.
         */
        post: operations["postCallEnd"];
    };
    "/api/call/init": {
        /**
         * Call a teacher
         * @description For students. Rings the teacher until `call_ring_timeout_seconds` have passed. A request that is repeated while the call rings returns the same call. 402 when the balance does not cover the first step; 409 when one of the two is in a call or the teacher cannot be called; 429 after `max_free_rings` rings of the same teacher within 10 minutes that cost nothing. The token is valid for the ring, the time that the balance pays (at most 4 hours) and a minute. `channel` is the room's uuid, which `call/end` needs.
         */
        post: operations["postCallInit"];
    };
    "/api/call/reject": {
        /**
         * Reject a ringing call
         * @description For teachers. 404 when nothing rings from that student. Both receive `call.rejected`; nothing is charged.
         */
        post: operations["postCallReject"];
    };
    "/api/call/token": {
        /**
         * Get a token to join a live call
         * @description For both people of the call: a provider token, valid for the time that the balance still pays (at most 4 hours) and a minute, and before the acceptance also for the rest of the ring. A new token is made only when its expiry differs from that of the last one. 404 when the call is not the caller's, 409 when it is over.
         */
        post: operations["postCallToken"];
    };
    "/api/calls": {
        /**
         * List your calls, newest first
         * @description For students and teachers. For the next page give the `identifier` of the last call as `before`; a page has 50 calls, or `limit`, at most 100.
         */
        get: operations["getCalls"];
    };
    "/api/calls/{identifier}": {
        /**
         * Show one of your calls, with its cost, duration and steps
         * @description For students and teachers. While the call runs, `total_cost` is what is charged so far, and `total_duration` is null. Somebody else's call is a 404.
         */
        get: operations["getCallsIdentifier"];
    };
    "/api/calls/{identifier}/receipt": {
        /**
         * Get the receipt of one of your calls, step by step
         * @description For both people of the call, while it runs and after. `total` is the sum of the lines, which is what the ledger has charged by now; refunds are not subtracted. The teacher also sees the commission and the earnings. Somebody else's call is a 404; 503 while payments are unavailable.
         */
        get: operations["getCallsIdentifierReceipt"];
    };
    "/api/calls/{identifier}/review": {
        /**
         * Review a lesson
         * @description For its student, once, when the call has ended and has cost something; otherwise 409.
         */
        post: operations["postCallsIdentifierReview"];
    };
    "/api/checkout/{deposit}/{token}": {
        /**
         * Page of the sandbox payment provider
         * @description Public; for browsers. `checkout_url` opens this page if no real provider is configured. The secret in the link is the only authentication; without it the page is a 404.
         */
        get: operations["getCheckoutDepositToken"];
        /**
         * Pay, fail or cancel at the sandbox payment provider
         * @description Public. The buttons of the page send this. The deposit moves as after a webhook of a real provider.
         */
        post: operations["postCheckoutDepositToken"];
    };
    "/api/checkout/{deposit}/{token}/claims": {
        /**
         * Page for disputes and refunds of the sandbox payment provider
         * @description Public; for browsers. On it an operator tries what happens when the payer of a paid deposit disputes it, or when it is refunded at the provider. The secret in the link is the only authentication.
         */
        get: operations["getCheckoutDepositTokenClaims"];
        /**
         * Dispute or refund a payment at the sandbox payment provider
         * @description Public. The buttons of the page send this: `dispute` opens a dispute of the whole deposit, `win` decides it for the platform and `lose` for the payer; `refund` refunds the deposit at the provider.
         */
        post: operations["postCheckoutDepositTokenClaims"];
    };
    "/api/checkout/returned": {
        /**
         * Page after a payment at a provider
         * @description Public; for browsers. Payment providers redirect here; the page asks the user to return to the app.
         */
        get: operations["getCheckoutReturned"];
    };
    "/api/checkout/style.css": {
        /**
         * Style sheet of the payment pages
         * @description Public; for browsers. The style sheet of the pages below.
         */
        get: operations["getCheckoutStyleCss"];
    };
    "/api/deposit-refunds": {
        /**
         * Own refunds of deposits, newest first
         * @description For students. For older ones send the last id as `before`. `limit` is 50 by default and 100 at most.
         */
        get: operations["getDepositRefunds"];
    };
    "/api/deposit-refunds/{id}": {
        /**
         * One of the own refunds of deposits
         * @description For students. A refund of another student is a 404.
         */
        get: operations["getDepositRefundsId"];
    };
    "/api/deposit-refunds/{id}/cancel": {
        /**
         * Cancel an own refund that was not sent
         * @description For the student who asked for it. The amount is available again at once. 409 once it was sent or decided.
         */
        post: operations["postDepositRefundsIdCancel"];
    };
    "/api/deposits": {
        /**
         * Own deposits, newest first
         * @description For students and teachers. For older ones send the last id as `before`. `limit` is 50 by default and 100 at most.
         */
        get: operations["getDeposits"];
        /**
         * Top up: create a deposit and a payment link
         * @description For students. Open `checkout_url` to pay; only this response contains it. The balance is credited when the provider confirms the payment; the live event `wallet.balance` announces it. 422 below the setting `min_deposit`, above 1,000,000,000, or for an amount that the payment provider does not accept. An unpaid deposit is canceled after 24 hours. Send an `Idempotency-Key`, so that a retry does not create a second deposit.
         */
        post: operations["postDeposits"];
    };
    "/api/deposits/{id}": {
        /**
         * One of the own deposits
         * @description For students and teachers. A deposit of another user is a 404.
         */
        get: operations["getDepositsId"];
    };
    "/api/deposits/{id}/refunds": {
        /**
         * Ask for unspent money of a deposit back
         * @description For the student of the deposit, where the setting `deposit_refunds` offers it. The amount is held at once. Without `amount` it is the smaller of the available money and what of the deposit is neither refunded nor disputed. 402 above the available money; 422 above the rest of the deposit; 409 when refunds are not offered, the deposit was not paid or is older than `deposit_refund_days`, or nothing of it is left. Send an `Idempotency-Key`, so that a retry does not ask twice.
         */
        post: operations["postDepositsIdRefunds"];
    };
    "/api/events": {
        /**
         * Listen to live events
         * @description For users and administrators. Server-Sent Events: `event` is the name, `data` the JSON that the webhook of that name describes, `id` identifies the event, also if it is repeated. Send the last `id` as `Last-Event-ID` to get the events missed within the last hour (or longer, if configured); the event `resync` means that older events were missed: fetch the state again. A comment is sent every 20 seconds. At most 5 streams per user: a sixth ends the oldest, whose client is asked to wait a minute (`retry`) before it reconnects. A stream ends within a second after its token.
         */
        get: operations["getEvents"];
    };
    "/api/favourites": {
        /**
         * Favourite teachers, newest first
         * @description For students. Teachers who are not listed at the moment are left out. For older favourites give the `id` of the last teacher as `before`; `limit` is at most 100, by default 50.
         */
        get: operations["getFavourites"];
    };
    "/api/favourites/{teacher_id}": {
        /**
         * Mark a teacher as a favourite
         * @description For students; at most 500 (409). Idempotent. 404 unless the user is a listed teacher.
         */
        put: operations["putFavouritesTeacherId"];
        /**
         * Unmark a favourite teacher
         * @description For students. Succeeds for any teacher, also if not a favourite or no longer listed; else 404.
         */
        delete: operations["deleteFavouritesTeacherId"];
    };
    "/api/files/{key}": {
        /**
         * Download a file
         * @description Public: anybody with the link may read it. Images, audio and video have their own content type; any other file is an attachment of `application/octet-stream`. `Content-Disposition` has the file name. The response is the bytes, without JSON and envelope. HEAD, range and conditional requests work.
         */
        get: operations["getFilesKey"];
    };
    "/api/me": {
        /**
         * Own profile
         * @description For students and teachers. `solde` is the amount that the caller can spend now. Unset texts are empty.
         */
        get: operations["getMe"];
        /**
         * Change the caller's profile
         * @description For students and teachers. Only the fields that are sent change. A new `password` needs `current_password` and ends every session; 422 for a password that is among the most common or contains the name or the name part of the e-mail. A new `email` or `phone_number` also needs `current_password`; the first request sends a code to the new address (422 on `code`), and the change takes effect when the request is repeated with that `code`. It ends every other session, and the old address is notified. An account without a password also gets a code at the old e-mail or phone number (422 on `old_code`) and repeats the request with both codes. An unproven e-mail counts as a new one.
         */
        put: operations["putMe"];
        /**
         * Delete the caller's account
         * @description For students and teachers; cannot be undone. Needs the `password` or a `code`: a request without either sends the code and returns a 422; a wrong password or code is a 422 too. 409 during a call, with an open withdrawal, or with money left unless `forfeit` is true (a student cannot withdraw it). Messages and other shared data stay, without the name.
         */
        delete: operations["deleteMe"];
    };
    "/api/me/availability": {
        /**
         * Get your hours
         * @description For teachers. Before the first change: no hours, in UTC.
         */
        get: operations["getMeAvailability"];
        /**
         * Change your hours
         * @description For teachers. `weekly` and `exceptions` are wall time in `time_zone`: a name of the IANA database, stored in its canonical case. `day` is 1 (Monday) to 7; hours that meet at midnight are joined and have one grid of slots. An exception adds hours to its date, or with `available: false` removes them. Existing bookings do not change. All fields are required.
         */
        put: operations["putMeAvailability"];
    };
    "/api/me/export": {
        /**
         * Download all own data
         * @description For students and teachers, five times per UTC day, then 429. One JSON file with all services' data about the caller, in the shapes of their own routes; without the envelope, as an attachment of any length. 503 while one of the services is unavailable. If a service becomes unavailable during the download, the connection is closed early, and the received part is not valid JSON.
         */
        get: operations["getMeExport"];
    };
    "/api/me/photo": {
        /**
         * Upload the caller's photo
         * @description For students and teachers. A form with the field `file`: JPEG, PNG, WebP, GIF, AVIF or HEIC of at most 5 MiB (413), recognised by its content. It becomes a square JPEG of 512 pixels, upright and without metadata; the link of the previous photo ends. 422 on `file` for anything but an image, 429 beyond 200 files or 500 MiB a day.
         */
        post: operations["postMePhoto"];
        /**
         * Remove the caller's photo
         * @description For students and teachers. Restores the default photo; the link of the previous photo ends.
         */
        delete: operations["deleteMePhoto"];
    };
    "/api/paymentsall": {
        /**
         * Payments, newest first
         * @description For everybody who is logged in. Paged: one row per deposit and withdrawal, and one row per participant of each call and refund. Administrators see all payments and may filter by `user_id`; users see their own, whatever `user_id` says. `type` and `direction` filter by the origin and the direction of the money. With `with_source` administrators' rows have a `source`: `deposit:<id>`, `withdrawal:<id>`, `call:<identifier>`, `call:<identifier>:refund:<number>`, `dispute:<id>:<number>` or `deposit-refund:<id>`.
         *
         *     Administrators need the right `money`. Contact data is masked for administrators without the right `contacts`, and not searched for them.
         */
        post: operations["postPaymentsall"];
    };
    "/api/payout-accounts": {
        /**
         * Own payout accounts, newest first
         * @description For teachers. A withdrawal to an account is possible from its `usable_at` on.
         */
        get: operations["getPayoutAccounts"];
        /**
         * Add a payout account
         * @description For teachers. `method` is one of `GET api/payout-methods`. A `phone` is a valid mobile number of the country, an `iban` has the right length and check digits. Needs `current_password` or a `code`: a request without either sends the code and is a 422. At most five (409). The same account again returns the existing one. Its owner is told by mail or SMS.
         */
        post: operations["postPayoutAccounts"];
    };
    "/api/payout-accounts/{id}": {
        /**
         * Delete an own payout account
         * @description For teachers. 409 while a withdrawal to it is open.
         */
        delete: operations["deletePayoutAccountsId"];
    };
    "/api/payout-methods": {
        /**
         * The ways in which teachers are paid
         * @description Public. Empty unless the operator has configured any. `country` is null but for phones.
         */
        get: operations["getPayoutMethods"];
    };
    "/api/photos/{key}": {
        /**
         * A photo
         * @description Public: anybody with the link may see it, until its owner replaces or removes the photo. An image, without the envelope; supports ranges, conditional requests and HEAD.
         */
        get: operations["getPhotosKey"];
    };
    "/api/plans": {
        /**
         * Plans
         * @description Public. All plans that a teacher can choose.
         */
        get: operations["getPlans"];
    };
    "/api/reports": {
        /**
         * Report a user to the administrators
         * @description For students and teachers. `room_uuid` and `identifier` name a room and a call of the two people; any other, an unknown user and oneself are a 422. Administrators receive `report.created`; the reported person is not notified. Send an `Idempotency-Key`, so that a repeat reports only once.
         */
        post: operations["postReports"];
    };
    "/api/reviews/{id}": {
        /**
         * Change a review
         * @description For its student, for 14 days; later 409. Without `comment` the comment is removed.
         */
        put: operations["putReviewsId"];
    };
    "/api/reviews/{id}/reply": {
        /**
         * Answer a review
         * @description For its teacher. `""` removes the answer.
         */
        put: operations["putReviewsIdReply"];
    };
    "/api/rooms": {
        /**
         * The caller's rooms, latest activity first
         * @description For students and teachers. Each with both people, the last message and, during a call, its `rtc_token`. E-mail addresses are real; phones and addresses are not shown here. For rooms after the first 200, pass the uuid of the last one as `before`.
         */
        get: operations["getRooms"];
        /**
         * Open the room with a teacher
         * @description For students. There is one room per student and teacher; opening it again returns it. An unknown teacher is a 422. Both receive `room.created`.
         */
        post: operations["postRooms"];
    };
    "/api/rooms/{uuid}": {
        /**
         * Messages of a room, each with its sender
         * @description For the two people of the room; for others it is a 404. Chronological: the newest 500, or the window that `before`, `after` and `limit` ask for. Statuses are those before this fetch, which marks the page read. The partner's balance is not shown; phone and address only with the setting `show_contact_details`.
         */
        get: operations["getRoomsUuid"];
    };
    "/api/rooms/{uuid}/files": {
        /**
         * Upload a file for a room
         * @description For the two people of the room; for others it is a 404. A form with the field `file`. Its limit in MiB is the setting `file_max_mb` (413 above it). The bytes decide about the type: an image (HEIC, too) is turned upright, loses its metadata and is made smaller when it is very large; an image that cannot be shown is a `file`, a recording without video is `audio`. To share the file, send a message with its `url` as `message_link`. A file that no message uses within 24 hours is deleted. 429 beyond 200 files or 500 MiB a day.
         */
        post: operations["postRoomsUuidFiles"];
    };
    "/api/rooms/{uuid}/messages": {
        /**
         * Messages of a room
         * @description For the two people of the room; for others it is a 404. Chronological: the newest 500, or the window that `before`, `after` and `limit` ask for. Statuses are those before this fetch, which marks the page read.
         */
        get: operations["getRoomsUuidMessages"];
        /**
         * Send a message
         * @description For the two people of the room; for others it is a 404. Requires `message`, or a `message_link` to a file (http or https). Both receive `message.created`, and the partner gets a push. 409 when one of the two can no longer be written to, or has blocked the other. A repeat with the same `client_message_id` or `Idempotency-Key` sends nothing twice.
         */
        post: operations["postRoomsUuidMessages"];
    };
    "/api/rooms/{uuid}/read": {
        /**
         * Mark as read
         * @description For the two people of the room. Up to the message `up_to`, or everything. Returns how far the caller has read (0: nothing yet); the partner receives `message.read`.
         */
        post: operations["postRoomsUuidRead"];
    };
    "/api/rooms/unread": {
        /**
         * The caller's unread messages
         * @description For students and teachers. Each room with unread messages, latest activity first; `total` includes those of the support room (`support`). Marks nothing as read.
         */
        get: operations["getRoomsUnread"];
    };
    "/api/services": {
        /**
         * List the call services and their prices
         * @description Public. The first step of a call costs `base_cost` and `iterator_cost`, each later one `iterator_cost`; a step lasts `iterator` seconds. The numbers are strings.
         */
        get: operations["getServices"];
    };
    "/api/skills": {
        /**
         * Skills
         * @description Public. All skills that a student or teacher can name, with the ids that registration and profile take.
         */
        get: operations["getSkills"];
    };
    "/api/support/files": {
        /**
         * Upload a file for support
         * @description For students and teachers. A form with the field `file`. Its limit in MiB is the setting `file_max_mb` (413 above it). The bytes decide about the type: an image (HEIC, too) is turned upright, loses its metadata and is made smaller when it is very large; an image that cannot be shown is a `file`, a recording without video is `audio`. To share the file, send a message with its `url` as `message_link`. A file that no message uses within 24 hours is deleted. 429 beyond 200 files or 500 MiB a day.
         */
        post: operations["postSupportFiles"];
    };
    "/api/support/messages": {
        /**
         * Messages of the caller's support room
         * @description For students and teachers: the conversation with the administrators, opened when there is none. Chronological: the newest 500, or the window that the cursors ask for. Fetching marks the replies read.
         */
        get: operations["getSupportMessages"];
        /**
         * Write to support
         * @description For students and teachers. Requires `message`, or a `message_link` to a file. Every administrator receives `support.message`. A repeat with the same `client_message_id` or `Idempotency-Key` sends nothing twice.
         */
        post: operations["postSupportMessages"];
    };
    "/api/support/rating": {
        /**
         * Rate the help of support
         * @description For students and teachers. Rates the caller's last resolved case, and changes that rating, within seven days; 409 when there is none. The live event `support.resolved` says when to ask for it.
         */
        post: operations["postSupportRating"];
    };
    "/api/teachers": {
        /**
         * Find teachers
         * @description For students and teachers. Paged. `q` searches name, skills and bio, ignoring case and accents; every word must match. `online` means active within ten minutes. `min_rating` excludes teachers with a lower `rating` or none. `sort`: `newest` (default); `rating`, where many reviews weigh more than few; `price`, the lowest `points` of the plan first.
         */
        get: operations["getTeachers"];
    };
    "/api/teachers/{id}": {
        /**
         * Public profile of a teacher
         * @description For students and teachers. Has no e-mail, phone number or address. 404 unless the user is a listed teacher.
         */
        get: operations["getTeachersId"];
    };
    "/api/teachers/{id}/reviews": {
        /**
         * Reviews of a teacher
         * @description For students and teachers. Paged, newest first, without hidden reviews. `student_name` is the first name, or "Former student" in the language of the request if the account is deleted.
         */
        get: operations["getTeachersIdReviews"];
    };
    "/api/teachers/{id}/slots": {
        /**
         * List the free slots of a teacher
         * @description For students and teachers. The free slots that begin on the UTC days `from` to `to`, at most 31 days, in chronological order and in UTC. An hour that the change to summer time skips has no slots; an hour that is repeated has its slots at both instants. Empty for a teacher who cannot be booked.
         */
        get: operations["getTeachersIdSlots"];
    };
    "/api/wallet": {
        /**
         * Own balance
         * @description For students and teachers. `balance` is everything, `held` is reserved for a call or a withdrawal, `available` is the difference. The live event `wallet.balance` announces every change.
         */
        get: operations["getWallet"];
    };
    "/api/wallet/debts": {
        /**
         * What the caller owes
         * @description For students. A payment provider has taken back a payment of which the money was already spent: the rest is owed. With the setting `recover_debts` later deposits pay it first.
         */
        get: operations["getWalletDebts"];
    };
    "/api/wallet/transactions": {
        /**
         * Own statement, newest first
         * @description For students and teachers. Every movement of the own money. For older ones send the last id as `before`. `limit` is 50 by default and 100 at most.
         */
        get: operations["getWalletTransactions"];
    };
    "/api/wallet/transactions.csv": {
        /**
         * Own statement as a CSV download, newest first
         * @description For students and teachers. Every movement of the own money, or those of the UTC days `from` to `to`: RFC 4180, UTF-8 with a byte order mark, of any length. `separator` is `,` by default; spreadsheets in some languages need `;` or `tab`. Errors have their real HTTP status.
         */
        get: operations["getWalletTransactionsCsv"];
    };
    "/api/webhooks/payments/{provider}": {
        /**
         * Webhook of a payment provider
         * @description For payment providers; no bearer token. The raw body is signed: a wrong or old signature is a 400. FedaPay sends `{"id", "name": "transaction.approved", "entity": {"id"}}` with `X-FEDAPAY-SIGNATURE: t=<unix seconds>,s=<hex HMAC-SHA256 of "<t>.<body>">`; what the event is about is fetched. The sandbox sends `{"id", "type": "deposit.succeeded", "deposit_id"}` with `X-Signature: t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<body>">`; `dispute.opened`, `dispute.won`, `dispute.lost` and `refund.created` have `amount` too, and may have `dispute_id` or `refund_id`. `{"id", "type": "payout.updated", "payout_key"}` makes the wallet ask about a payout. A duplicate event, an event of an unknown deposit, or of a payment that was not opened for the deposit that it names gets the same response and credits nothing more. An event about a payout makes the wallet ask the provider; its body is not believed.
         */
        post: operations["postWebhooksPaymentsProvider"];
    };
    "/api/withdrawals": {
        /**
         * Own withdrawals, newest first
         * @description For students and teachers. For older ones send the last id as `before`. `limit` is 50 by default and 100 at most.
         */
        get: operations["getWithdrawals"];
        /**
         * Request a payout; the amount is held at once
         * @description For teachers. An administrator pays the amount to the payout account `payout_account_id`, or to `account`, unless the setting `require_payout_account` demands the former (422). 409 before the payout account can be used. 402 above the available balance; 422 below the setting `min_withdrawal` or above 1,000,000,000. Send an `Idempotency-Key`, so that a retry does not create a second withdrawal.
         */
        post: operations["postWithdrawals"];
    };
    "/api/withdrawals/{id}": {
        /**
         * One of the own withdrawals
         * @description For students and teachers. A withdrawal of another user is a 404.
         */
        get: operations["getWithdrawalsId"];
    };
    "/api/withdrawals/{id}/cancel": {
        /**
         * Cancel an own withdrawal that no administrator has claimed
         * @description For the teacher who requested it. The amount is available again at once. 409 if an administrator has claimed (`pending`) or decided it.
         */
        post: operations["postWithdrawalsIdCancel"];
    };
}
export interface webhooks {
    "booking.canceled": {
        /**
         * A lesson is called off
         * @description Sent to both. By either of the two, with the `reason` if one was given; or by the system.
         */
        post: operations["onBookingCanceled"];
    };
    "booking.confirmed": {
        /**
         * A lesson is agreed
         * @description Sent to both.
         */
        post: operations["onBookingConfirmed"];
    };
    "booking.declined": {
        /**
         * A lesson is not agreed
         * @description Sent to both. By who was asked, or because the time came without an answer. With the `status` `confirmed`: only a proposed time is not agreed, or was withdrawn; the lesson stays as it was.
         */
        post: operations["onBookingDeclined"];
    };
    "booking.reminder": {
        /**
         * A lesson begins soon
         * @description Sent to both, an hour and ten minutes before, once each.
         */
        post: operations["onBookingReminder"];
    };
    "booking.requested": {
        /**
         * A lesson is asked for
         * @description Sent to both. The teacher confirms or declines it.
         */
        post: operations["onBookingRequested"];
    };
    "booking.rescheduled": {
        /**
         * A lesson is moved
         * @description Sent to both. Who did not move it confirms or declines it. A confirmed lesson keeps its time until then: `proposed_starts_at` is the new one.
         */
        post: operations["onBookingRescheduled"];
    };
    "call.accepted": {
        /**
         * The teacher accepted
         * @description Sent to both. The meter runs from `accepted_at`.
         */
        post: operations["onCallAccepted"];
    };
    "call.canceled": {
        /**
         * The call stopped ringing before anybody answered
         * @description Sent to both. The student canceled; or `reason` says that the first step could not be paid, or that one of the two was banned.
         */
        post: operations["onCallCanceled"];
    };
    "call.ended": {
        /**
         * The call is over
         * @description Sent to both, after the last `call.metered`. Only where a charge has to wait it comes later: `call.settled` has the final cost.
         */
        post: operations["onCallEnded"];
    };
    "call.low_balance": {
        /**
         * The next step of the call is not covered
         * @description Sent to the student. Unless money arrives before `next_due_at`, the call ends then.
         */
        post: operations["onCallLowBalance"];
    };
    "call.metered": {
        /**
         * A step of the call was charged
         * @description Sent to both, once for each charged step. The next one falls due at `next_due_at`, should the call go on until then; it is null for a last step that the end of the call has charged.
         */
        post: operations["onCallMetered"];
    };
    "call.missed": {
        /**
         * Nobody answered in time
         * @description Sent to both. Nothing is charged.
         */
        post: operations["onCallMissed"];
    };
    "call.rejected": {
        /**
         * The teacher rejected
         * @description Sent to both. Nothing is charged.
         */
        post: operations["onCallRejected"];
    };
    "call.ringing": {
        /**
         * A student calls
         * @description Sent to the teacher. The call rings until `expires_at`; accept or reject it before.
         */
        post: operations["onCallRinging"];
    };
    "call.settled": {
        /**
         * Nothing more is charged for the call
         * @description Sent to both, once, after `call.ended`: the last step is charged and the rest of the reserve released. The cost is final; only a refund can change what the student has paid.
         */
        post: operations["onCallSettled"];
    };
    "desk.case": {
        /**
         * A support case changed
         * @description Sent to administrators. The payload is the case as `POST api/admin/desk/casesall` lists it.
         *
         *     Administrators need the right `desk`.
         */
        post: operations["onDeskCase"];
    };
    "desk.presence": {
        /**
         * An administrator opened, left or types in a support case
         * @description Sent to administrators, and never replayed. A state lasts 15 seconds unless it is sent again.
         *
         *     Administrators need the right `desk`.
         */
        post: operations["onDeskPresence"];
    };
    "message.created": {
        /**
         * Somebody wrote in a room
         * @description Sent to both people of the room, the sender too. The payload is the message as its room lists it.
         */
        post: operations["onMessageCreated"];
    };
    "message.read": {
        /**
         * The other side has read
         * @description Every message of the room up to the id `up_to` has been read. Sent to the people who wrote them; in a support room to administrators or the user.
         *
         *     Administrators need the right `desk`.
         */
        post: operations["onMessageRead"];
    };
    "payout.batch": {
        /**
         * A batch of payouts changed
         * @description Sent to administrators, after every change of the batch and after results were applied. The payload is the batch as `GET api/admin/payout-batches/{id}` answers it.
         *
         *     Administrators need the right `money`.
         */
        post: operations["onPayoutBatch"];
    };
    "report.created": {
        /**
         * Somebody was reported
         * @description Sent to administrators. The payload is the report as `POST api/admin/reportsall` lists it.
         *
         *     Administrators need the right `trust`.
         */
        post: operations["onReportCreated"];
    };
    resync: {
        /**
         * Events were lost: fetch again
         * @description The `Last-Event-ID` is too old or unknown. Fetch rooms, calls and the balance again; the events after this one are complete.
         */
        post: operations["onResync"];
    };
    "room.created": {
        /**
         * A student and a teacher have a room now
         * @description Sent to both. The payload is the room as `GET api/rooms` lists it.
         */
        post: operations["onRoomCreated"];
    };
    "room.read": {
        /**
         * A room was read on one of the own devices
         * @description Every message of the others up to the id `up_to` has been read; `unread` are left in the room. Sent to who has read, for the other devices; of a support room to the user, or to administrators, for they read as one.
         *
         *     Administrators need the right `desk`.
         */
        post: operations["onRoomRead"];
    };
    "support.message": {
        /**
         * Somebody wrote in a support room
         * @description Sent to administrators and the user concerned.
         *
         *     Administrators need the right `desk`.
         */
        post: operations["onSupportMessage"];
    };
    "support.resolved": {
        /**
         * A question to support is resolved
         * @description Sent to the user who asked. An app may ask for a rating when `can_rate` is true.
         */
        post: operations["onSupportResolved"];
    };
    "wallet.balance": {
        /**
         * The balance changed
         * @description Sent to its owner, after every deposit, charge, hold, withdrawal and refund.
         */
        post: operations["onWalletBalance"];
    };
}
export interface components {
    schemas: {
        CallsAcceptedCall: {
            channel: string;
            service: components["schemas"]["CallsService"];
            token: string;
            transaction: components["schemas"]["CallsTransaction"];
        };
        CallsAdminBooking: {
            /** @enum {string} */
            call_type: "video" | "audio";
            cancel_reason: string;
            /** @description The participant who canceled the lesson, or null. */
            canceled_by: ("student" | "teacher") | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            ends_at: string;
            id: number;
            note: string;
            /** @description Of a confirmed lesson: the time to which one side would like to move it, held until the other side answers. Null otherwise. */
            proposed_starts_at: string | null;
            /** Format: date-time */
            starts_at: string;
            /** @enum {string} */
            status: "requested" | "confirmed" | "declined" | "canceled" | "missed" | "done";
            student_id: number;
            student_name: string;
            teacher_id: number;
            teacher_name: string;
            /** @description The teacher's time zone when the time was set. */
            time_zone: string;
            /** Format: date-time */
            updated_at: string;
        };
        CallsAdminBookingPage: {
            current_page: number;
            data: components["schemas"]["CallsAdminBooking"][];
            first_page_url: string;
            from: number | null;
            last_page: number;
            last_page_url: string;
            links: components["schemas"]["CallsPageLink"][];
            next_page_url: string | null;
            path: string;
            per_page: number;
            prev_page_url: string | null;
            to: number | null;
            total: number;
        };
        CallsAvailability: {
            exceptions: components["schemas"]["CallsHoursOfDateOutput"][];
            min_notice_minutes: number;
            slot_minutes: number;
            time_zone: string;
            weekly: components["schemas"]["CallsWeeklyHoursOutput"][];
        };
        CallsBooking: {
            /** @enum {string} */
            call_type: "video" | "audio";
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            ends_at: string;
            id: number;
            note: string;
            /** @description Of a confirmed lesson: the time to which one side would like to move it, held until the other side answers. Null otherwise. */
            proposed_starts_at: string | null;
            /** Format: date-time */
            starts_at: string;
            /** @enum {string} */
            status: "requested" | "confirmed" | "declined" | "canceled" | "missed" | "done";
            student_id: number;
            student_name: string;
            teacher_id: number;
            teacher_name: string;
            /** Format: date-time */
            updated_at: string;
        };
        CallsCalendarLink: { url: string; };
        CallsCall: {
            accepted_at: string | null;
            /** @enum {string} */
            call_type: "video" | "audio";
            channel: string;
            /** Format: date-time */
            created_at: string;
            ended_at: string | null;
            /** @description Who hung up, canceled or rejected; `money`: the balance was used up; `silence`: two steps without a bill, or without a sign of life of the student; `ban`: one of the two was banned. Null while the call is live, and when it was missed. */
            ended_by: ("student" | "teacher" | "money" | "silence" | "ban") | null;
            identifier: string;
            /** @description The sum of the refunds so far. */
            refunded: number;
            /** @enum {string} */
            state: "ringing" | "active" | "ended" | "rejected" | "missed" | "canceled";
            steps: number;
            student_id: number;
            student_name: string;
            student_photo: string;
            teacher_id: number;
            teacher_name: string;
            teacher_photo: string;
            total_cost: number;
            total_duration: number | null;
        };
        CallsCallAccepted: {
            /** Format: date-time */
            accepted_at: string;
            /** @enum {string} */
            call_type: "video" | "audio";
            /** @description The room's uuid. */
            channel: string;
            identifier: string;
            student_id: number;
            teacher_id: number;
        };
        CallsCallDetail: {
            accepted_at: string | null;
            /** @enum {string} */
            call_type: "video" | "audio";
            channel: string;
            charges: components["schemas"]["CallsCharge"][];
            /** Format: date-time */
            created_at: string;
            ended_at: string | null;
            /** @description Who hung up, canceled or rejected; `money`: the balance was used up; `silence`: two steps without a bill, or without a sign of life of the student; `ban`: one of the two was banned. Null while the call is live, and when it was missed. */
            ended_by: ("student" | "teacher" | "money" | "silence" | "ban") | null;
            identifier: string;
            /** @description The sum of the refunds so far. */
            refunded: number;
            refunds: components["schemas"]["CallsRefund"][];
            /** @enum {string} */
            state: "ringing" | "active" | "ended" | "rejected" | "missed" | "canceled";
            steps: number;
            student_id: number;
            student_name: string;
            student_photo: string;
            teacher_id: number;
            teacher_name: string;
            teacher_photo: string;
            timeline: components["schemas"]["CallsTimelineEntry"][];
            total_cost: number;
            total_duration: number | null;
        };
        CallsCallEnded: {
            /** @enum {string} */
            call_type: "video" | "audio";
            /** @description The room's uuid. */
            channel: string;
            /** Format: date-time */
            ended_at: string;
            identifier: string;
            /**
             * @description Who hung up; `silence`: no bill was asked for during two steps; `exhaustion`: the money ran out; `ban`: one of the two was banned.
             * @enum {string}
             */
            reason: "student" | "teacher" | "silence" | "exhaustion" | "ban";
            student_id: number;
            teacher_id: number;
            /** @description Seconds. */
            total_duration: number;
        };
        CallsCallPage: {
            current_page: number;
            data: components["schemas"]["CallsCall"][];
            first_page_url: string;
            from: number | null;
            last_page: number;
            last_page_url: string;
            links: components["schemas"]["CallsPageLink"][];
            next_page_url: string | null;
            path: string;
            per_page: number;
            prev_page_url: string | null;
            to: number | null;
            total: number;
        };
        CallsCallToken: {
            channel: string;
            /** Format: date-time */
            expires_at: string;
            token: string;
        };
        CallsCanceledBooking: {
            /** @enum {string} */
            call_type: "video" | "audio";
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            ends_at: string;
            id: number;
            note: string;
            /** @description Of a confirmed lesson: the time to which one side would like to move it, held until the other side answers. Null otherwise. */
            proposed_starts_at: string | null;
            /** @description Absent unless it was given. */
            reason?: string;
            /** Format: date-time */
            starts_at: string;
            /** @enum {string} */
            status: "requested" | "confirmed" | "declined" | "canceled" | "missed" | "done";
            student_id: number;
            student_name: string;
            teacher_id: number;
            teacher_name: string;
            /** Format: date-time */
            updated_at: string;
        };
        CallsCharge: {
            amount: number;
            commission: number;
            /** Format: date-time */
            created_at: string;
            ref: string;
            step: number;
        };
        CallsConfirmation: { message: string; };
        CallsHoursOfDate: {
            available: boolean;
            /** Format: date */
            date: string;
            from: string;
            to: string;
        };
        CallsHoursOfDateOutput: {
            available: boolean;
            /** Format: date */
            date: string;
            from: string;
            to: string;
        };
        CallsLowBalance: {
            /** @description What the student can still spend. */
            available: number;
            identifier: string;
            /** Format: date-time */
            next_due_at: string;
        };
        CallsMeteredCall: {
            identifier: string;
            next_due_at: string | null;
            /** @description Charged steps. */
            steps: number;
            total_cost: number;
        };
        CallsNewCall: {
            channel: string;
            message: string;
            token: string;
        };
        CallsPageLink: {
            active: boolean;
            label: string;
            url: string | null;
        };
        CallsParticipant: {
            id: number;
            name: string;
            photo: string;
        };
        CallsPublicReview: {
            comment: string;
            /** Format: date-time */
            created_at: string;
            id: number;
            rating: number;
            reply: string;
            /** @description The first name; "Former student" if the account is deleted. */
            student_name: string;
            teacher_id: number;
            /** Format: date-time */
            updated_at: string;
        };
        CallsPublicReviewPage: {
            current_page: number;
            data: components["schemas"]["CallsPublicReview"][];
            first_page_url: string;
            from: number | null;
            last_page: number;
            last_page_url: string;
            links: components["schemas"]["CallsPageLink"][];
            next_page_url: string | null;
            path: string;
            per_page: number;
            prev_page_url: string | null;
            to: number | null;
            total: number;
        };
        CallsReceipt: {
            /** @description Only for the teacher: the part of `total` that the platform keeps. */
            commission?: number;
            currency: string;
            /** @description Only for the teacher: `total` less `commission`. */
            earned?: number;
            ended_at: string | null;
            identifier: string;
            lines: components["schemas"]["CallsReceiptLine"][];
            refunded: number;
            started_at: string | null;
            student_name: string;
            teacher_name: string;
            /** @description The sum of the lines, before refunds. */
            total: number;
        };
        CallsReceiptLine: {
            amount: number;
            /** Format: date-time */
            due_at: string;
            /** @description Reference of the movement, as in the statement; null for a free step. */
            ref: string | null;
            step: number;
        };
        CallsRefund: {
            amount: number;
            /** Format: date-time */
            created_at: string;
            ref: string;
        };
        CallsReview: {
            comment: string;
            /** Format: date-time */
            created_at: string;
            hidden: boolean;
            id: number;
            identifier: string;
            rating: number;
            reply: string;
            student_id: number;
            student_name: string;
            teacher_id: number;
            /** Format: date-time */
            updated_at: string;
        };
        CallsReviewPage: {
            current_page: number;
            data: components["schemas"]["CallsReview"][];
            first_page_url: string;
            from: number | null;
            last_page: number;
            last_page_url: string;
            links: components["schemas"]["CallsPageLink"][];
            next_page_url: string | null;
            path: string;
            per_page: number;
            prev_page_url: string | null;
            to: number | null;
            total: number;
        };
        CallsRingingCall: {
            /** @enum {string} */
            call_type: "video" | "audio";
            /** @description The room's uuid. */
            channel: string;
            /** Format: date-time */
            expires_at: string;
            identifier: string;
            student: components["schemas"]["CallsParticipant"];
            student_id: number;
            teacher: components["schemas"]["CallsParticipant"];
            teacher_id: number;
        };
        CallsService: {
            base_cost: string;
            /** Format: date-time */
            created_at: string;
            id: number;
            iterator: string;
            iterator_cost: string;
            name: string;
            /** Format: date-time */
            updated_at: string;
        };
        CallsSettledCall: {
            /** @enum {string} */
            ended_by: "student" | "teacher" | "money" | "silence" | "ban";
            identifier: string;
            /** @description Charged steps. */
            steps: number;
            total_cost: number;
            /** @description Seconds. */
            total_duration: number;
        };
        CallsSlot: {
            /** Format: date-time */
            ends_at: string;
            /** Format: date-time */
            starts_at: string;
        };
        CallsTimelineEntry: {
            /** Format: date-time */
            at: string;
            /** @enum {string} */
            event: "rang" | "accepted" | "billed" | "low_balance" | "ended_by_student" | "ended_by_teacher" | "ended_by_money" | "ended_by_silence" | "ended_by_ban" | "settled";
        };
        CallsTransaction: {
            /** Format: date-time */
            created_at: string;
            id: number;
            identifier: string;
            plan: components["schemas"]["CallsTransactionPlan"];
            plan_id: number;
            service: components["schemas"]["CallsService"];
            service_id: number;
            student_id: number;
            teacher: components["schemas"]["CallsTransactionTeacher"];
            teacher_id: number;
            total_cost: number;
            total_duration: number | null;
            /** Format: date-time */
            updated_at: string;
        };
        CallsTransactionPlan: {
            /** Format: date-time */
            created_at: string;
            id: number;
            image_cost: number;
            name: string;
            points: number;
            /** Format: date-time */
            updated_at: string;
        };
        CallsTransactionTeacher: {
            availability: string;
            bio: string | null;
            /** Format: date-time */
            created_at: string;
            domains: string;
            experience: number;
            id: number;
            name: string;
            plan_id: number;
            transactions_count: number;
            /** Format: date-time */
            updated_at: string;
            /** @enum {string} */
            verified: "0" | "1";
        };
        CallsUnansweredCall: {
            /** @enum {string} */
            call_type: "video" | "audio";
            /** @description The room's uuid. */
            channel: string;
            identifier: string;
            /**
             * @description Why the system itself ended it; absent otherwise.
             * @enum {string}
             */
            reason?: "ban" | "payment_required";
            student_id: number;
            teacher_id: number;
        };
        CallsWeeklyHours: {
            day: number;
            from: string;
            to: string;
        };
        CallsWeeklyHoursOutput: {
            day: number;
            from: string;
            to: string;
        };
        Conflict: {
            message: string;
            statusCode: 409;
            success: false;
        };
        EnvelopedUnauthenticated: {
            data: {
                /** @enum {unknown} */
                message: "Please authenticate to continue." | "Veuillez vous authentifier pour continuer.";
                statusCode: 401;
                success: false;
            };
        };
        Failure: {
            message: string;
            /** @enum {integer} */
            statusCode: 400 | 405 | 408 | 413 | 415 | 417 | 431 | 500 | 502 | 503 | 504;
            success: false;
        };
        Forbidden: {
            /** @enum {unknown} */
            message: "Unauthorized access" | "Accès non autorisé";
            statusCode: 403;
            success: false;
        };
        IdentityAdmin: {
            created_at: string | null;
            email: string;
            id: number;
            level: string;
            name: string;
            phone_number: string | null;
            /** @enum {string} */
            status: "active" | "inactive";
            updated_at: string | null;
        };
        IdentityAdminAccess: {
            id: number;
            last_login_at: string | null;
            roles: ("all" | "support" | "finance" | "approver" | "viewer")[];
            sessions: number;
            totp: boolean;
        };
        IdentityAdministrator: {
            id: number;
            name: string;
        };
        IdentityAdminLogin: {
            admin: components["schemas"]["IdentityAdmin"];
            token: string;
            token_type: "Bearer";
        };
        IdentityAdminUser: {
            about_me: string;
            address: string;
            availability: string;
            banned: components["schemas"]["IdentityBan"] | null;
            bio: string | null;
            city: string;
            country: string;
            /** Format: date-time */
            created_at: string;
            domains: string;
            email: string;
            experience: number;
            /** @enum {string} */
            gauth_type: "email" | "google" | "facebook" | "apple" | "phone_number";
            id: number;
            level_study: string | null;
            name: string;
            phone_number: string;
            photo: string;
            plan_id: number | null;
            /** @enum {string} */
            platform: "student" | "teacher";
            solde: number;
            /** @enum {string} */
            status: "active" | "banned";
            subjects_interest: string;
            /** Format: date-time */
            updated_at: string;
            /** @enum {string} */
            verified: "0" | "1";
        };
        IdentityApiToken: {
            /** Format: date-time */
            created_at: string;
            id: number;
            last_used_at: string | null;
            name: string;
        };
        IdentityAudit: {
            action: string;
            admin_id: number;
            admin_name: string;
            after: {
                [key: string]: unknown;
            } | null;
            before: {
                [key: string]: unknown;
            } | null;
            /** Format: date-time */
            created_at: string;
            id: number;
            request_id: string;
            subject: string;
        };
        IdentityAuditPage: {
            current_page: number;
            data: components["schemas"]["IdentityAudit"][];
            first_page_url: string;
            from: number | null;
            last_page: number;
            last_page_url: string;
            links: components["schemas"]["IdentityPageLink"][];
            next_page_url: string | null;
            path: string;
            per_page: number;
            prev_page_url: string | null;
            to: number | null;
            total: number;
        };
        IdentityBan: {
            /** Format: date-time */
            at: string;
            by: components["schemas"]["IdentityAdministrator"];
            reason: string;
        };
        IdentityCallStats: {
            active: number;
            commission: number;
            count: number;
            revenue: number;
            seconds: number;
        };
        IdentityConfirmation: { message: string; };
        IdentityCountsByStatus: {
            canceled: number;
            failed: number;
            initiated: number;
            pending: number;
            success: number;
        };
        IdentityDailyStats: {
            /** @description Booked lessons. */
            bookings: number;
            /** @description Accepted calls. */
            calls: number;
            /** @description Charged for calls, before refunds. */
            charged: number;
            /** @description The platform's share of it, less refunds. */
            commission: number;
            /** @description Booked lessons that are confirmed or took place. */
            confirmed_bookings: number;
            /** Format: date */
            date: string;
            /** @description Money paid in, less reversals. */
            deposits: number;
            messages: number;
            /** @description Whole minutes of the ended ones among these calls. */
            minutes: number;
            /** @description Booked lessons that nobody attended. */
            missed_bookings: number;
            new_students: number;
            new_teachers: number;
            /** @description Mean of these reviews, with two decimals; 0 without reviews. */
            rating: number;
            refunded: number;
            /** @description Reviews, without hidden ones. */
            reviews: number;
            /** @description Money paid out, less reversals. */
            withdrawals: number;
        };
        IdentityEndedSessions: {
            ended: number;
            message: string;
        };
        IdentityExportedFavourite: {
            /** Format: date-time */
            created_at: string;
            teacher_id: number;
            teacher_name: string;
        };
        IdentityExportedProfile: {
            about_me: string;
            address: string;
            availability: string;
            bio: string | null;
            city: string;
            country: string;
            /** Format: date-time */
            created_at: string;
            domains: string;
            email: string;
            experience: number;
            /** @description A student's, newest first. */
            favourites: components["schemas"]["IdentityExportedFavourite"][];
            /** @enum {string} */
            gauth_type: "email" | "google" | "facebook" | "apple" | "phone_number";
            id: number;
            level_study: string | null;
            name: string;
            phone_number: string;
            photo: string;
            plan_id: number | null;
            /** @enum {string} */
            platform: "student" | "teacher";
            solde: number;
            /** @enum {string} */
            status: "active" | "banned";
            subjects_interest: string;
            /** Format: date-time */
            updated_at: string;
            /** @enum {string} */
            verified: "0" | "1";
        };
        IdentityExportedRoom: {
            /** Format: date-time */
            created_at: string;
            last_message: components["schemas"]["IdentityMessage"] | null;
            /** @description The caller's own messages, oldest first. */
            messages: components["schemas"]["IdentityMessage"][];
            /** @description Token of the live call; null when there is none. */
            rtc_token: string | null;
            student: components["schemas"]["IdentityStudentSummary"];
            teacher: components["schemas"]["IdentityTeacherSummary"];
            /** Format: date-time */
            updated_at: string;
            uuid: string;
        };
        IdentityExportedSupportRoom: {
            /** Format: date-time */
            created_at: string;
            last_message_at: string | "";
            /** @description The caller's own messages, oldest first. */
            messages: components["schemas"]["IdentityMessage"][];
            /** Format: date-time */
            updated_at: string;
            user_id: number;
            uuid: string;
        };
        IdentityInvitation: {
            /** Format: date-time */
            created_at: string;
            email: string;
            /** Format: date-time */
            expires_at: string;
            id: number;
            invited_by: components["schemas"]["IdentityInviter"];
            name: string;
            roles: ("all" | "support" | "finance" | "approver" | "viewer")[];
            /** @enum {string} */
            status: "open" | "accepted" | "expired" | "withdrawn";
        };
        IdentityInviter: {
            id: number;
            name: string;
        };
        IdentityLogin: {
            token: string;
            token_type: "Bearer";
            user: components["schemas"]["IdentityUser"];
        };
        IdentityMessage: {
            /** Format: date-time */
            created_at: string;
            id: number;
            message: string;
            message_link: string | null;
            room_uuid: string;
            sender_id: number;
            /** @enum {string} */
            status: "read" | "unread";
            time: string;
            /** @enum {string} */
            type: "message" | "image" | "audio" | "video" | "file";
            /** Format: date-time */
            updated_at: string;
        };
        IdentityMoneyStats: {
            amount: number;
            by_status: components["schemas"]["IdentityCountsByStatus"];
            count: number;
        };
        IdentityNewApiToken: {
            /** Format: date-time */
            created_at: string;
            id: number;
            last_used_at: string | null;
            name: string;
            token: string;
        };
        IdentityOwnData: {
            /** @description Newest first. */
            bookings: { [key: string]: unknown; }[];
            /** @description As in `GET api/calls`, newest first. */
            calls: { [key: string]: unknown; }[];
            /** @description As in `GET api/deposits`, newest first. */
            deposits: { [key: string]: unknown; }[];
            /** @description Of deposits, as administrators see them, newest first. */
            disputes: { [key: string]: unknown; }[];
            /** @description Files uploaded for messages, in the shape of the upload route, newest first; the photo is in `profile`. */
            files: { [key: string]: unknown; }[];
            /** @description As in `GET api/payout-accounts`, newest first. */
            payout_accounts: { [key: string]: unknown; }[];
            profile: components["schemas"]["IdentityExportedProfile"];
            /** @description As in `GET api/deposit-refunds`, newest first. */
            refunds: { [key: string]: unknown; }[];
            /** @description By a student, or of a teacher, newest first. */
            reviews: { [key: string]: unknown; }[];
            /** @description As in `GET api/rooms`, but `last_message` is the caller's own last message; the support room comes last, as in `GET api/support/messages`. */
            rooms: (components["schemas"]["IdentityExportedRoom"] | components["schemas"]["IdentityExportedSupportRoom"])[];
            sessions: components["schemas"]["IdentitySession"][];
            /** @description As in `GET api/wallet/transactions`, newest first. */
            statement: { [key: string]: unknown; }[];
            /** @description Questions to support, newest first. */
            support_cases: { [key: string]: unknown; }[];
            /** @description As in `GET api/withdrawals`, newest first. */
            withdrawals: { [key: string]: unknown; }[];
        };
        IdentityOwnRights: {
            level: string;
            rights: ("people" | "standing" | "contacts" | "trust" | "desk" | "lessons" | "money" | "payout" | "approve" | "figures")[];
            roles: ("all" | "support" | "finance" | "approver" | "viewer")[];
        };
        IdentityPageLink: {
            active: boolean;
            label: string;
            url: string | null;
        };
        IdentityPhotoRemoval: { message: string; };
        IdentityPlan: {
            /** Format: date-time */
            created_at: string;
            id: number;
            image_cost: number;
            name: string;
            points: number;
            /** Format: date-time */
            updated_at: string;
        };
        IdentityRecoveryCodes: {
            message: string;
            recovery_codes: string[];
        };
        IdentityRegistration: {
            message: string;
            user: components["schemas"]["IdentityUser"];
        };
        IdentityResetToken: {
            message: string;
            reset_token: string;
        };
        IdentityRole: {
            /** @enum {string} */
            name: "all" | "support" | "finance" | "approver" | "viewer";
            rights: ("people" | "standing" | "contacts" | "trust" | "desk" | "lessons" | "money" | "payout" | "approve" | "figures")[];
        };
        IdentitySession: {
            address: string;
            /** Format: date-time */
            created_at: string;
            current: boolean;
            id: number;
            /** Format: date-time */
            last_used_at: string;
            name: string;
            push: boolean;
            user_agent: string;
        };
        IdentitySetting: {
            /** Format: date-time */
            created_at: string;
            description: string;
            id: number;
            name: string;
            /** Format: date-time */
            updated_at: string;
            value: number;
        };
        IdentitySettingPage: {
            current_page: number;
            data: components["schemas"]["IdentitySetting"][];
            first_page_url: string;
            from: number | null;
            last_page: number;
            last_page_url: string;
            links: components["schemas"]["IdentityPageLink"][];
            next_page_url: string | null;
            path: string;
            per_page: number;
            prev_page_url: string | null;
            to: number | null;
            total: number;
        };
        IdentitySkill: {
            /** Format: date-time */
            created_at: string;
            id: number;
            name: string;
            /** Format: date-time */
            updated_at: string;
        };
        IdentityStats: {
            admins: number;
            /** Format: date-time */
            as_of: string;
            calls: components["schemas"]["IdentityCallStats"];
            deposits: components["schemas"]["IdentityMoneyStats"];
            messages: number;
            rooms: number;
            students: number;
            teachers: number;
            users: number;
            withdrawals: components["schemas"]["IdentityMoneyStats"];
        };
        IdentityStudentSummary: {
            email: string;
            id: number;
            level_study: string | null;
            name: string;
            photo: string;
            subjects_interest: string;
        };
        IdentityTeacher: {
            about_me: string;
            availability: string;
            bio: string | null;
            city: string;
            country: string;
            domains: string;
            experience: number;
            /** @description Whether the requesting student marked the teacher; false for teachers. */
            favourite: boolean;
            id: number;
            name: string;
            online: boolean;
            photo: string;
            plan_id: number | null;
            /** @description Mean of the reviews, with one decimal; empty without reviews. */
            rating: string;
            reviews_count: number;
            transactions_count: number;
            /** @enum {string} */
            verified: "0" | "1";
        };
        IdentityTeacherPage: {
            current_page: number;
            data: components["schemas"]["IdentityTeacher"][];
            first_page_url: string;
            from: number | null;
            last_page: number;
            last_page_url: string;
            links: components["schemas"]["IdentityPageLink"][];
            next_page_url: string | null;
            path: string;
            per_page: number;
            prev_page_url: string | null;
            to: number | null;
            total: number;
        };
        IdentityTeacherSummary: {
            availability: string | null;
            /** @description Names of skills, joined by ", ". */
            domains: string;
            email: string;
            experience: number;
            id: number;
            name: string;
            photo: string;
        };
        IdentityTotp: { totp: boolean; };
        IdentityTotpSecret: {
            secret: string;
            uri: string;
        };
        IdentityUser: {
            about_me: string;
            address: string;
            availability: string;
            bio: string | null;
            city: string;
            country: string;
            /** Format: date-time */
            created_at: string;
            domains: string;
            email: string;
            experience: number;
            /** @enum {string} */
            gauth_type: "email" | "google" | "facebook" | "apple" | "phone_number";
            id: number;
            level_study: string | null;
            name: string;
            phone_number: string;
            photo: string;
            plan_id: number | null;
            /** @enum {string} */
            platform: "student" | "teacher";
            solde: number;
            /** @enum {string} */
            status: "active" | "banned";
            subjects_interest: string;
            /** Format: date-time */
            updated_at: string;
            /** @enum {string} */
            verified: "0" | "1";
        };
        IdentityUserPage: {
            current_page: number;
            data: components["schemas"]["IdentityUser"][];
            first_page_url: string;
            from: number | null;
            last_page: number;
            last_page_url: string;
            links: components["schemas"]["IdentityPageLink"][];
            next_page_url: string | null;
            path: string;
            per_page: number;
            prev_page_url: string | null;
            to: number | null;
            total: number;
        };
        IdentityVerifiedRegistration: {
            message: string;
            token: string;
            token_type: "Bearer";
            user: components["schemas"]["IdentityUser"];
        };
        Malformed: {
            message: string;
            statusCode: 400;
            success: false;
        };
        MessagingAdminReport: {
            /** Format: date-time */
            created_at: string;
            details: string;
            id: number;
            /** @description Of the call that it is about. */
            identifier: string | null;
            /** @description The administrators’ own. */
            note: string;
            /** @enum {string} */
            reason: "spam" | "abuse" | "fraud" | "other";
            reporter: components["schemas"]["MessagingNamed"];
            room_uuid: string | null;
            /** @enum {string} */
            status: "open" | "resolved" | "rejected";
            /** Format: date-time */
            updated_at: string;
            user: components["schemas"]["MessagingNamed"];
            /** @description Who is reported. */
            user_id: number;
        };
        MessagingAdminReportPage: {
            current_page: number;
            data: components["schemas"]["MessagingAdminReport"][];
            first_page_url: string;
            from: number | null;
            last_page: number;
            last_page_url: string;
            links: components["schemas"]["MessagingPageLink"][];
            next_page_url: string | null;
            path: string;
            per_page: number;
            prev_page_url: string | null;
            to: number | null;
            total: number;
        };
        MessagingBlockedUser: {
            /** Format: date-time */
            created_at: string;
            name: string;
            photo: string;
            user_id: number;
        };
        MessagingCaseEvent: {
            /** Format: date-time */
            at: string;
            /** @description The administrator; null for the user and the system. */
            by: components["schemas"]["MessagingNamed"] | null;
            /** @enum {string} */
            event: "opened" | "reopened" | "woken" | "assigned" | "state" | "labels" | "subject" | "snoozed" | "rated";
            /** @description Before: a state, a name, labels, a time or a score; null for a subject. */
            from: string | null;
            /** @description After. */
            to: string | null;
        };
        MessagingCaseNote: {
            author: components["schemas"]["MessagingNamed"];
            /** Format: date-time */
            created_at: string;
            id: number;
            text: string;
            /** Format: date-time */
            updated_at: string;
        };
        MessagingCaseRating: {
            comment: string | null;
            score: number;
        };
        MessagingCaseUser: {
            id: number;
            name: string;
            photo: string;
            /** @enum {string} */
            platform: "student" | "teacher";
        };
        MessagingConfirmation: { message: string; };
        MessagingDeskAgent: {
            /** @description Seconds; null without cases. */
            first_reply_median: number | null;
            id: number;
            name: string;
            resolved: number;
            /** @description Average with one decimal; empty without ratings. */
            score: string;
        };
        MessagingDeskColleague: {
            /** @description Of the administrator. */
            id: number;
            name: string;
            /** @enum {string} */
            state: "viewing" | "typing" | "left";
        };
        MessagingDeskCounts: {
            /** @description Of the open ones. */
            mine: number;
            open: number;
            snoozed: number;
            /** @description Of the open ones. */
            unassigned: number;
        };
        MessagingDeskOthers: { others: components["schemas"]["MessagingDeskColleague"][]; };
        MessagingDeskPresence: {
            case_id: number;
            /** @description Of the administrator. */
            id: number;
            name: string;
            /** @enum {string} */
            state: "viewing" | "typing" | "left";
        };
        MessagingDeskSpread: {
            /** @description Seconds; null without cases. */
            median: number | null;
            /** @description Seconds; null without cases. */
            p90: number | null;
        };
        MessagingDeskStats: {
            by_agent: components["schemas"]["MessagingDeskAgent"][];
            first_reply: components["schemas"]["MessagingDeskSpread"];
            opened: number;
            rated: number;
            reopened: number;
            resolution: components["schemas"]["MessagingDeskSpread"];
            resolved: number;
            /** @description Average with one decimal; empty without ratings. */
            score: string;
        };
        MessagingFile: {
            /** @description The content type of the response of `url`. */
            content_type: string;
            /** Format: date-time */
            created_at: string;
            height: number | null;
            id: number;
            name: string;
            /** @description In bytes. */
            size: number;
            /**
             * @description Detected from the bytes.
             * @enum {string}
             */
            type: "image" | "audio" | "video" | "file";
            /** @description Send it as `message_link`. Whoever has it may read the file. */
            url: string;
            /** @description In pixels; null unless an image. */
            width: number | null;
        };
        MessagingMessage: {
            /** Format: date-time */
            created_at: string;
            id: number;
            message: string;
            message_link: string | null;
            room_uuid: string;
            sender_id: number;
            /** @enum {string} */
            status: "read" | "unread";
            time: string;
            /** @enum {string} */
            type: "message" | "image" | "audio" | "video" | "file";
            /** Format: date-time */
            updated_at: string;
        };
        MessagingMessagesRead: {
            room_uuid: string;
            up_to: number;
        };
        MessagingMessageWithSender: {
            /** Format: date-time */
            created_at: string;
            id: number;
            message: string;
            message_link: string | null;
            room_uuid: string;
            sender: components["schemas"]["MessagingSender"];
            /** @enum {string} */
            status: "read" | "unread";
            time: string;
            /** @enum {string} */
            type: "message" | "image" | "audio" | "video" | "file";
            /** Format: date-time */
            updated_at: string;
        };
        MessagingNamed: {
            id: number;
            name: string;
        };
        MessagingOwnReadMark: {
            room_uuid: string;
            up_to: number;
        };
        MessagingPageLink: {
            active: boolean;
            label: string;
            url: string | null;
        };
        MessagingRenderedReply: { text: string; };
        MessagingReport: {
            /** Format: date-time */
            created_at: string;
            details: string;
            id: number;
            /** @description Of the call that it is about. */
            identifier: string | null;
            /** @enum {string} */
            reason: "spam" | "abuse" | "fraud" | "other";
            room_uuid: string | null;
            /** @enum {string} */
            status: "open" | "resolved" | "rejected";
            /** Format: date-time */
            updated_at: string;
            /** @description Who is reported. */
            user_id: number;
        };
        MessagingRoom: {
            /** Format: date-time */
            created_at: string;
            last_message: components["schemas"]["MessagingMessage"] | null;
            /** @description Token of the live call; null when there is none. */
            rtc_token: string | null;
            student: components["schemas"]["MessagingStudentSummary"];
            teacher: components["schemas"]["MessagingTeacherSummary"];
            /** Format: date-time */
            updated_at: string;
            uuid: string;
        };
        MessagingRoomRead: {
            room_uuid: string;
            unread: number;
            up_to: number;
        };
        MessagingSavedReply: {
            /** Format: date-time */
            created_at: string;
            created_by: components["schemas"]["MessagingNamed"];
            id: number;
            shortcut: string;
            text_en: string;
            text_fr: string;
            /** Format: date-time */
            updated_at: string;
        };
        MessagingSender: {
            about_me: string;
            address: string;
            city: string;
            country: string;
            /** Format: date-time */
            created_at: string;
            email: string;
            id: number;
            level_study: string | null;
            name: string;
            phone_number: string;
            photo: string;
            /** @description The viewer's own balance; 0 for anybody else. */
            solde: number;
            status: string;
            subjects_interest: string;
            /** Format: date-time */
            updated_at: string;
        };
        MessagingStudentSummary: {
            email: string;
            id: number;
            level_study: string | null;
            name: string;
            photo: string;
            subjects_interest: string;
        };
        MessagingSupportCase: {
            assignee: components["schemas"]["MessagingNamed"] | null;
            /** Format: date-time */
            created_at: string;
            first_reply_at: string | null;
            id: number;
            labels: string[];
            last_message: components["schemas"]["MessagingMessage"] | null;
            rating: components["schemas"]["MessagingCaseRating"] | null;
            /** @description How often it was reopened. */
            reopened: number;
            resolved_at: string | null;
            room_uuid: string;
            /** @description Null for a snoozed case that waits for the next message. */
            snoozed_until: string | null;
            /** @enum {string} */
            state: "open" | "snoozed" | "resolved";
            /** @description At first the start of the first message. */
            subject: string;
            /** @description The person's messages that no administrator has read; 1,000 for more. */
            unread: number;
            /** Format: date-time */
            updated_at: string;
            user: components["schemas"]["MessagingCaseUser"];
            /** @description Counts the administrators' changes. */
            version: number;
            /** @description Time of the first message without an answer; null when the last word is ours. */
            waiting_since: string | null;
        };
        MessagingSupportCaseDetail: {
            assignee: components["schemas"]["MessagingNamed"] | null;
            /** Format: date-time */
            created_at: string;
            first_reply_at: string | null;
            id: number;
            labels: string[];
            last_message: components["schemas"]["MessagingMessage"] | null;
            notes: components["schemas"]["MessagingCaseNote"][];
            /** @description The user's earlier cases, newest first. */
            others: components["schemas"]["MessagingSupportCase"][];
            rating: components["schemas"]["MessagingCaseRating"] | null;
            /** @description How often it was reopened. */
            reopened: number;
            resolved_at: string | null;
            room_uuid: string;
            /** @description Null for a snoozed case that waits for the next message. */
            snoozed_until: string | null;
            /** @enum {string} */
            state: "open" | "snoozed" | "resolved";
            /** @description At first the start of the first message. */
            subject: string;
            timeline: components["schemas"]["MessagingCaseEvent"][];
            /** @description The person's messages that no administrator has read; 1,000 for more. */
            unread: number;
            /** Format: date-time */
            updated_at: string;
            user: components["schemas"]["MessagingCaseUser"];
            /** @description Counts the administrators' changes. */
            version: number;
            /** @description Time of the first message without an answer; null when the last word is ours. */
            waiting_since: string | null;
        };
        MessagingSupportCasePage: {
            current_page: number;
            data: components["schemas"]["MessagingSupportCase"][];
            first_page_url: string;
            from: number | null;
            last_page: number;
            last_page_url: string;
            links: components["schemas"]["MessagingPageLink"][];
            next_page_url: string | null;
            path: string;
            per_page: number;
            prev_page_url: string | null;
            to: number | null;
            total: number;
        };
        MessagingSupportResolved: {
            /** @description Whether `POST api/support/rating` accepts a rating now. */
            can_rate: boolean;
            case_id: number;
        };
        MessagingSupportRoom: {
            /** Format: date-time */
            created_at: string;
            /** @description Empty when there is no message. */
            last_message_at: string | "";
            messages: components["schemas"]["MessagingMessage"][];
            /** Format: date-time */
            updated_at: string;
            user_id: number;
            uuid: string;
        };
        MessagingSupportRoomItem: {
            last_message: components["schemas"]["MessagingMessage"] | null;
            user: components["schemas"]["MessagingSupportUser"];
            uuid: string;
        };
        MessagingSupportUser: {
            email: string;
            id: number;
            name: string;
            phone_number: string;
        };
        MessagingTeacherSummary: {
            availability: string | null;
            /** @description Names of skills, joined by ", ". */
            domains: string;
            email: string;
            experience: number;
            id: number;
            name: string;
            photo: string;
        };
        MessagingUnreadRoom: {
            room_uuid: string;
            unread: number;
        };
        MessagingUnreadRooms: {
            rooms: components["schemas"]["MessagingUnreadRoom"][];
            support: number;
            total: number;
        };
        NestedNotFound: {
            message: { message: string; };
            statusCode: 404;
            success: false;
        };
        NotBilled: {
            message: string;
            statusCode: 500;
            success: false;
        };
        NotFound: {
            message: string;
            statusCode: 404;
            success: false;
        };
        PaymentRequired: {
            message: string;
            statusCode: 402;
            success: false;
        };
        RangeNotSatisfiable: {
            message: string;
            statusCode: 416;
            success: false;
        };
        RateLimitRefusal: {
            /** @enum {unknown} */
            message: "Too Many Attempts." | "Trop de tentatives.";
        };
        SecondFactor: {
            message: string;
            statusCode: 403;
            success: false;
        };
        Unauthenticated: {
            /** @enum {unknown} */
            message: "Unauthenticated." | "Non authentifié.";
            statusCode: 401;
            success: false;
        };
        ValidationRefusal: {
            errors: { [key: string]: string[]; };
            message: string;
        };
        Wallet: {
            available: number;
            balance: number;
            currency: string;
            held: number;
        };
        WalletAdministrator: {
            id: number;
            name: string;
        };
        WalletAdminWithdrawal: {
            account: string | null;
            amount: number;
            claimed_at: string | null;
            claimed_by: components["schemas"]["WalletAdministrator"] | null;
            /** Format: date-time */
            created_at: string;
            currency: string;
            decided_at: string | null;
            decided_by: components["schemas"]["WalletAdministrator"] | null;
            details: string | null;
            id: number;
            method: string | null;
            ref: string | null;
            /** @enum {string} */
            status: "initiated" | "pending" | "success" | "failed" | "canceled";
            /** Format: date-time */
            updated_at: string;
            user: components["schemas"]["WalletUserSummary"];
            user_id: number;
        };
        WalletAdminWithdrawalPage: {
            current_page: number;
            data: components["schemas"]["WalletAdminWithdrawal"][];
            first_page_url: string;
            from: number | null;
            last_page: number;
            last_page_url: string;
            links: components["schemas"]["WalletPageLink"][];
            next_page_url: string | null;
            path: string;
            per_page: number;
            prev_page_url: string | null;
            to: number | null;
            total: number;
        };
        WalletAppliedResults: {
            applied: number;
            skipped: number;
        };
        WalletBalance: {
            available: number;
            balance: number;
            held: number;
        };
        WalletBreak: {
            amount_ours: number | null;
            amount_theirs: number | null;
            /** Format: date-time */
            created_at: string;
            id: number;
            /** @enum {string} */
            kind: "only_ours" | "only_theirs" | "amount" | "status" | "returned" | "over_limit";
            /** @description The administrators’ own. */
            note: string;
            /** @description What our records say. */
            ours: string | null;
            provider: string;
            reference: string;
            /** @enum {string} */
            status: "open" | "resolved";
            /** @description What the provider says. */
            theirs: string | null;
            /** Format: date-time */
            updated_at: string;
        };
        WalletBreakPage: {
            current_page: number;
            data: components["schemas"]["WalletBreak"][];
            first_page_url: string;
            from: number | null;
            last_page: number;
            last_page_url: string;
            links: components["schemas"]["WalletPageLink"][];
            next_page_url: string | null;
            path: string;
            per_page: number;
            prev_page_url: string | null;
            to: number | null;
            total: number;
        };
        WalletConfirmation: { message: string; };
        WalletDebt: {
            amount: number;
            /** Format: date-time */
            created_at: string;
            deposit_id: number;
            /** @description Of the dispute. */
            id: number;
            owed: number;
        };
        WalletDeposit: {
            amount: number;
            /** Format: date-time */
            created_at: string;
            currency: string;
            details: string | null;
            id: number;
            method: string | null;
            ref: string | null;
            /** @enum {string} */
            status: "initiated" | "pending" | "success" | "failed" | "canceled";
            /** Format: date-time */
            updated_at: string;
            user: components["schemas"]["WalletUserSummary"];
            user_id: number;
        };
        WalletDepositPage: {
            current_page: number;
            data: components["schemas"]["WalletDeposit"][];
            first_page_url: string;
            from: number | null;
            last_page: number;
            last_page_url: string;
            links: components["schemas"]["WalletPageLink"][];
            next_page_url: string | null;
            path: string;
            per_page: number;
            prev_page_url: string | null;
            to: number | null;
            total: number;
        };
        WalletDepositRefund: {
            amount: number;
            /** Format: date-time */
            created_at: string;
            currency: string;
            deposit_id: number;
            /** @description The student’s reason, or what the administrator answered. */
            details: string | null;
            id: number;
            /** @description The provider’s id of it, or an administrator’s. */
            ref: string | null;
            /** @enum {string} */
            status: "requested" | "sent" | "success" | "failed" | "canceled" | "rejected";
            /** Format: date-time */
            updated_at: string;
            user_id: number;
        };
        WalletDepositRefundPage: {
            current_page: number;
            data: components["schemas"]["WalletDepositRefund"][];
            first_page_url: string;
            from: number | null;
            last_page: number;
            last_page_url: string;
            links: components["schemas"]["WalletPageLink"][];
            next_page_url: string | null;
            path: string;
            per_page: number;
            prev_page_url: string | null;
            to: number | null;
            total: number;
        };
        WalletDispute: {
            amount: number;
            /** Format: date-time */
            created_at: string;
            currency: string;
            deposit_id: number;
            /** @description Until when the provider takes evidence. */
            evidence_due_at: string | null;
            id: number;
            /** @description What the student still owes the platform. */
            owed: number;
            provider: string;
            provider_ref: string;
            /** @description The provider’s own; `refund`: refunded at the provider. */
            reason: string;
            /** @enum {string} */
            status: "inquiry" | "needs_response" | "under_review" | "won" | "lost";
            /** @description Taken from the student; stays after `won`. */
            taken: number;
            /** Format: date-time */
            updated_at: string;
            user: components["schemas"]["WalletNamedUser"];
        };
        WalletDisputeDetail: {
            amount: number;
            /** Format: date-time */
            created_at: string;
            currency: string;
            deposit_id: number;
            /** @description Until when the provider takes evidence. */
            evidence_due_at: string | null;
            id: number;
            /** @description What the student still owes the platform. */
            owed: number;
            provider: string;
            provider_ref: string;
            /** @description The provider’s own; `refund`: refunded at the provider. */
            reason: string;
            /** @enum {string} */
            status: "inquiry" | "needs_response" | "under_review" | "won" | "lost";
            /** @description Taken from the student; stays after `won`. */
            taken: number;
            timeline: components["schemas"]["WalletDisputeStep"][];
            /** Format: date-time */
            updated_at: string;
            user: components["schemas"]["WalletNamedUser"];
        };
        WalletDisputePage: {
            current_page: number;
            data: components["schemas"]["WalletDispute"][];
            first_page_url: string;
            from: number | null;
            last_page: number;
            last_page_url: string;
            links: components["schemas"]["WalletPageLink"][];
            next_page_url: string | null;
            path: string;
            per_page: number;
            prev_page_url: string | null;
            to: number | null;
            total: number;
        };
        WalletDisputeStep: {
            /** Format: date-time */
            at: string;
            event: string;
        };
        WalletEvidence: {
            amount: number;
            calls: components["schemas"]["WalletEvidenceCall"][];
            currency: string;
            deposit_id: number;
            /** Format: date-time */
            deposited_at: string;
            dispute_id: number;
            sign_ins: components["schemas"]["WalletSignIn"][];
            student: components["schemas"]["WalletNamedUser"];
        };
        WalletEvidenceCall: {
            /** @description All charges of the call. */
            amount: number;
            charges: components["schemas"]["WalletEvidenceCharge"][];
            /**
             * Format: date-time
             * @description Time of the last charge.
             */
            ended_at: string;
            /** @description The part paid with the disputed deposit. */
            from_deposit: number;
            identifier: string;
            refunds: components["schemas"]["WalletEvidenceRefund"][];
            /**
             * Format: date-time
             * @description Time of the first charge.
             */
            started_at: string;
            /** @description Charged steps. */
            steps: number;
            student: components["schemas"]["WalletNamedUser"];
            teacher: components["schemas"]["WalletNamedUser"];
        };
        WalletEvidenceCharge: {
            amount: number;
            /** Format: date-time */
            created_at: string;
            reference: string;
            step: number;
        };
        WalletEvidenceRefund: {
            amount: number;
            /** Format: date-time */
            created_at: string;
            reference: string;
        };
        WalletListedPayment: {
            amount: number;
            /** Format: date-time */
            created_at: string;
            currency: string;
            details: string | null;
            /** @enum {string} */
            direction: "in" | "out";
            id: number;
            ref: string | null;
            /** @description Only for administrators who send `with_source`: the origin of the payment, by kind and id. */
            source?: string;
            /** @enum {string} */
            status: "initiated" | "pending" | "success" | "failed" | "canceled";
            /** @enum {string} */
            type: "deposit" | "withdrawal" | "call" | "refund";
            /** Format: date-time */
            updated_at: string;
            user: components["schemas"]["WalletUserSummary"];
            user_id: number;
        };
        WalletListedPaymentPage: {
            current_page: number;
            data: components["schemas"]["WalletListedPayment"][];
            first_page_url: string;
            from: number | null;
            last_page: number;
            last_page_url: string;
            links: components["schemas"]["WalletPageLink"][];
            next_page_url: string | null;
            path: string;
            per_page: number;
            prev_page_url: string | null;
            to: number | null;
            total: number;
        };
        WalletNamedUser: {
            id: number;
            name: string;
        };
        WalletNewDeposit: {
            amount: number;
            checkout_url: string;
            /** Format: date-time */
            created_at: string;
            currency: string;
            details: string | null;
            id: number;
            method: string | null;
            ref: string | null;
            /** @enum {string} */
            status: "initiated" | "pending" | "success" | "failed" | "canceled";
            /** Format: date-time */
            updated_at: string;
            user: components["schemas"]["WalletUserSummary"];
            user_id: number;
        };
        WalletPageLink: {
            active: boolean;
            label: string;
            url: string | null;
        };
        WalletPayment: {
            amount: number;
            /** Format: date-time */
            created_at: string;
            currency: string;
            details: string | null;
            /** @enum {string} */
            direction: "in" | "out";
            id: number;
            ref: string | null;
            /** @enum {string} */
            status: "initiated" | "pending" | "success" | "failed" | "canceled";
            /** @enum {string} */
            type: "deposit" | "withdrawal" | "call" | "refund";
            /** Format: date-time */
            updated_at: string;
            user: components["schemas"]["WalletUserSummary"];
            user_id: number;
        };
        WalletPayoutAccount: {
            account: string;
            /** Format: date-time */
            created_at: string;
            holder_name: string;
            id: number;
            /** @enum {string} */
            kind: "phone" | "iban" | "text";
            last_used_at: string | null;
            method: string;
            /** Format: date-time */
            usable_at: string;
        };
        WalletPayoutBatch: {
            /** @description Without removed items. */
            amount: number;
            approved_at: string | null;
            approved_by: components["schemas"]["WalletPayoutClerk"] | null;
            closed_at: string | null;
            /** @description Without removed items. */
            count: number;
            /** Format: date-time */
            created_at: string;
            created_by: components["schemas"]["WalletPayoutClerk"];
            currency: string;
            exported_at: string | null;
            file: components["schemas"]["WalletPayoutFile"] | null;
            /** @enum {string} */
            format: "csv" | "pain.001" | "provider";
            id: number;
            items: components["schemas"]["WalletPayoutItemCounts"];
            /** @description By another administrator than the maker. */
            needs_approval: boolean;
            note: string | null;
            /** @enum {string} */
            status: "draft" | "approved" | "exported" | "closed" | "canceled";
            /** Format: date-time */
            updated_at: string;
            version: number;
        };
        WalletPayoutBatchPage: {
            current_page: number;
            data: components["schemas"]["WalletPayoutBatch"][];
            first_page_url: string;
            from: number | null;
            last_page: number;
            last_page_url: string;
            links: components["schemas"]["WalletPageLink"][];
            next_page_url: string | null;
            path: string;
            per_page: number;
            prev_page_url: string | null;
            to: number | null;
            total: number;
        };
        WalletPayoutClerk: {
            id: number;
            name: string;
        };
        WalletPayoutExclusion: {
            /** @enum {string} */
            reason: "not_initiated" | "banned" | "account_not_usable";
            withdrawal_id: number;
        };
        WalletPayoutFile: {
            bytes: number;
            name: string;
            sha256: string;
        };
        WalletPayoutImport: {
            counts: components["schemas"]["WalletPayoutVerdicts"];
            import_id: number;
            rows: components["schemas"]["WalletPayoutResult"][];
        };
        WalletPayoutItem: {
            account: string | null;
            amount: number;
            batch_id: number;
            /** Format: date-time */
            created_at: string;
            holder_name: string | null;
            id: number;
            message: string | null;
            method: string | null;
            provider_ref: string | null;
            reference: string;
            settled_at: string | null;
            /** @description Null while it is open, and for a provider. */
            settled_by: components["schemas"]["WalletPayoutSettler"] | null;
            /** @enum {string} */
            status: "waiting" | "sent" | "paid" | "failed" | "uncertain" | "removed" | "returned";
            /** Format: date-time */
            updated_at: string;
            user: components["schemas"]["WalletPayoutPayee"];
            withdrawal_id: number;
        };
        WalletPayoutItemCounts: {
            failed: number;
            paid: number;
            removed: number;
            returned: number;
            sent: number;
            uncertain: number;
            waiting: number;
        };
        WalletPayoutItemPage: {
            current_page: number;
            data: components["schemas"]["WalletPayoutItem"][];
            first_page_url: string;
            from: number | null;
            last_page: number;
            last_page_url: string;
            links: components["schemas"]["WalletPageLink"][];
            next_page_url: string | null;
            path: string;
            per_page: number;
            prev_page_url: string | null;
            to: number | null;
            total: number;
        };
        WalletPayoutMethod: {
            /** @description Of the phone numbers; null but for phones. */
            country: string | null;
            /** @enum {string} */
            kind: "phone" | "iban" | "text";
            method: string;
            name: string;
        };
        WalletPayoutPayee: {
            id: number;
            name: string;
        };
        WalletPayoutPreview: {
            amount: number;
            /** @description Of the withdrawals that can be paid. */
            count: number;
            excluded: components["schemas"]["WalletPayoutExclusion"][];
            warnings: components["schemas"]["WalletPayoutWarning"][];
        };
        WalletPayoutResult: {
            item_id: number | null;
            /** @description In the file; its head is 1. */
            line: number;
            message: string | null;
            provider_ref: string | null;
            /** @enum {string} */
            verdict: "paid" | "failed" | "uncertain" | "already" | "amount_differs" | "unknown_reference" | "repeated" | "unreadable";
        };
        WalletPayoutSettler: {
            id: number;
            name: string;
        };
        WalletPayoutVerdicts: {
            already: number;
            amount_differs: number;
            failed: number;
            paid: number;
            repeated: number;
            uncertain: number;
            unknown_reference: number;
            unreadable: number;
        };
        WalletPayoutWarning: {
            /** @enum {string} */
            code: "first_payout" | "same_account_as_another";
            withdrawal_id: number;
        };
        WalletReconciliation: {
            breaks: number;
            /** Format: date-time */
            created_at: string;
            id: number;
            matched: number;
            rows: number;
        };
        WalletSignIn: {
            /**
             * Format: date-time
             * @description The last one from this network.
             */
            at: string;
            network: string;
        };
        WalletTransaction: {
            amount: number;
            /** Format: date-time */
            created_at: string;
            /** @enum {string} */
            direction: "in" | "out";
            id: number;
            ref: string;
            /** @enum {string} */
            type: "deposit" | "deposit_reversal" | "withdrawal" | "withdrawal_reversal" | "call" | "commission" | "refund" | "commission_refund" | "forfeit";
        };
        WalletUserSummary: {
            email: string;
            id: number;
            name: string;
            phone_number: string;
        };
        WalletWebhookReceipt: { received: true; };
        WalletWithdrawal: {
            account: string | null;
            amount: number;
            /** Format: date-time */
            created_at: string;
            currency: string;
            details: string | null;
            id: number;
            method: string | null;
            ref: string | null;
            /** @enum {string} */
            status: "initiated" | "pending" | "success" | "failed" | "canceled";
            /** Format: date-time */
            updated_at: string;
            user: components["schemas"]["WalletUserSummary"];
            user_id: number;
        };
    };
    responses: {
        /** @description The request was not accepted (400, 405, 408, 413, 415, 417, 431) or the server failed (500, 502, 503, 504). Retry after a 502, 503 or 504; if there is a `Retry-After`, wait that long first. */
        Failed: { content: { "application/json": components["schemas"]["Failure"]; }; };
        /** @description The input is not valid: `errors` explains what is wrong with each field */
        Invalid: { content: { "application/json": components["schemas"]["ValidationRefusal"]; }; };
        /** @description Too many requests */
        RateLimited: { content: { "application/json": components["schemas"]["RateLimitRefusal"]; }; };
        /** @description Refused */
        Refusal400Malformed: { content: { "application/json": components["schemas"]["Malformed"]; }; };
        /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
        Refusal401EnvelopedUnauthenticated: { content: { "application/json": components["schemas"]["EnvelopedUnauthenticated"]; }; };
        /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
        Refusal401Forbidden: { content: { "application/json": components["schemas"]["Forbidden"]; }; };
        /** @description No valid bearer */
        Refusal401Unauthenticated: { content: { "application/json": components["schemas"]["Unauthenticated"]; }; };
        /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
        Refusal402NotBilled: { content: { "application/json": components["schemas"]["NotBilled"]; }; };
        /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
        Refusal402PaymentRequired: { content: { "application/json": components["schemas"]["PaymentRequired"]; }; };
        /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
        Refusal403Forbidden: { content: { "application/json": components["schemas"]["Forbidden"]; }; };
        /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
        Refusal403ForbiddenOrSecondFactor: {
            content: { "application/json": components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"]; };
        };
        /** @description An administrator must set up two-factor authentication first */
        Refusal403SecondFactor: { content: { "application/json": components["schemas"]["SecondFactor"]; }; };
        /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
        Refusal404NestedNotFound: { content: { "application/json": components["schemas"]["NestedNotFound"]; }; };
        /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
        Refusal404NotBilled: { content: { "application/json": components["schemas"]["NotBilled"]; }; };
        /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
        Refusal404NotFound: { content: { "application/json": components["schemas"]["NotFound"]; }; };
        /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
        Refusal409Conflict: { content: { "application/json": components["schemas"]["Conflict"]; }; };
        /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
        Refusal409NotBilled: { content: { "application/json": components["schemas"]["NotBilled"]; }; };
        /** @description Refused */
        Refusal416RangeNotSatisfiable: { content: { "application/json": components["schemas"]["RangeNotSatisfiable"]; }; };
    };
    parameters: {
        /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
        XEnvelope: "strict";
    };
    requestBodies: never;
    headers: {
        /** @description Requests allowed per minute */
        "X-RateLimit-Limit": number;
        /** @description Requests left in this minute */
        "X-RateLimit-Remaining": number;
        /** @description Identifies this request in all logs */
        "X-Request-Id": string;
        /** @description The status in the body */
        "X-Status-Code": number;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getAdminAdmins: {
        parameters: { header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; }; };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 403 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["IdentityAdmin"][];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"];
                };
            };
            401: components["responses"]["Refusal401Forbidden"];
            403: components["responses"]["Refusal403ForbiddenOrSecondFactor"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postAdminAdmins: {
        parameters: { header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; }; };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: email */
                    email: string;
                    name: string;
                    password: string;
                    phone_number: string;
                    roles?: ("all" | "support" | "finance" | "approver" | "viewer")[];
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 403 */
            200: {
                content: {
                    "application/json": {
                        data: string;
                        statusCode: 201;success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            201: {
                content: {
                    "application/json": {
                        data: string;
                        statusCode: 201;success: true;
                    };
                };
            };
            401: components["responses"]["Refusal401Forbidden"];
            403: components["responses"]["Refusal403ForbiddenOrSecondFactor"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getAdminAdminsId: {
        parameters: {
            header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; };
            path: { id: string; };
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 403, 404 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["IdentityAdmin"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"] | components["schemas"]["NotFound"];
                };
            };
            401: components["responses"]["Refusal401Forbidden"];
            403: components["responses"]["Refusal403ForbiddenOrSecondFactor"];
            404: components["responses"]["Refusal404NotFound"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    putAdminAdminsId: {
        parameters: {
            header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; };
            path: { id: string; };
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    status: "active" | "inactive";
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 403, 404, 409 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["IdentityConfirmation"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"] | components["schemas"]["NotFound"] | components["schemas"]["Conflict"];
                };
            };
            401: components["responses"]["Refusal401Forbidden"];
            403: components["responses"]["Refusal403ForbiddenOrSecondFactor"];
            404: components["responses"]["Refusal404NotFound"];
            409: components["responses"]["Refusal409Conflict"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    putAdminAdminsIdRoles: {
        parameters: {
            header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; };
            path: { id: string; };
        };
        requestBody: {
            content: { "application/json": { roles: ("all" | "support" | "finance" | "approver" | "viewer")[]; }; };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 403, 404, 409 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["IdentityConfirmation"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"] | components["schemas"]["NotFound"] | components["schemas"]["Conflict"];
                };
            };
            401: components["responses"]["Refusal401Forbidden"];
            403: components["responses"]["Refusal403ForbiddenOrSecondFactor"];
            404: components["responses"]["Refusal404NotFound"];
            409: components["responses"]["Refusal409Conflict"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getAdminAdminsAccess: {
        parameters: { header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; }; };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 403 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["IdentityAdminAccess"][];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"];
                };
            };
            401: components["responses"]["Refusal401Forbidden"];
            403: components["responses"]["Refusal403ForbiddenOrSecondFactor"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postAdminAuditall: {
        parameters: { header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; }; };
        requestBody?: {
            content: {
                "application/json": {
                    action?: string;
                    admin_id?: number;
                    filter_value?: string;
                    /** Format: date */
                    from?: string;
                    /**
                     * @description `asc`: oldest first.
                     * @enum {string}
                     */
                    order?: "asc" | "desc";
                    page?: number;
                    pageItems?: number;
                    subject?: string;
                    /** Format: date */
                    to?: string;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 403 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["IdentityAuditPage"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"];
                };
            };
            401: components["responses"]["Refusal401Forbidden"];
            403: components["responses"]["Refusal403ForbiddenOrSecondFactor"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postAdminAuthInvitationsAccept: {
        parameters: { header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; }; };
        requestBody: {
            content: {
                "application/json": {
                    password: string;
                    phone_number?: string;
                    token: string;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 404 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["IdentityConfirmation"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["NotFound"];
                };
            };
            404: components["responses"]["Refusal404NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postAdminAuthLogin: {
        parameters: { header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; }; };
        requestBody?: {
            content: {
                "application/json": {
                    code?: string;
                    email?: string;
                    password?: string;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 403, 404 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["IdentityAdminLogin"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["SecondFactor"] | components["schemas"]["NotFound"];
                };
            };
            403: components["responses"]["Refusal403SecondFactor"];
            404: components["responses"]["Refusal404NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postAdminAuthLogout: {
        parameters: { header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; }; };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 403 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["IdentityConfirmation"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Forbidden"];
                };
            };
            401: components["responses"]["Refusal401Forbidden"];
            403: components["responses"]["Refusal403Forbidden"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getAdminAuthMe: {
        parameters: { header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; }; };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 403, 404 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["IdentityAdmin"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["NotFound"];
                };
            };
            401: components["responses"]["Refusal401Forbidden"];
            403: components["responses"]["Refusal403Forbidden"];
            404: components["responses"]["Refusal404NotFound"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    putAdminAuthMe: {
        parameters: { header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; }; };
        requestBody?: {
            content: {
                "application/json": {
                    current_password?: string;
                    /** Format: email */
                    email?: string;
                    name?: string;
                    password?: string;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 403, 404 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["IdentityAdmin"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["NotFound"];
                };
            };
            401: components["responses"]["Refusal401Forbidden"];
            403: components["responses"]["Refusal403Forbidden"];
            404: components["responses"]["Refusal404NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postAdminAuthResetPassword: {
        parameters: { header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; }; };
        requestBody: {
            content: {
                "application/json": {
                    code: string;
                    email: string;
                    password: string;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 404 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["IdentityConfirmation"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["NotFound"];
                };
            };
            404: components["responses"]["Refusal404NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postAdminAuthResetPasswordSendCode: {
        parameters: { header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; }; };
        requestBody?: { content: { "application/json": { email?: string; }; }; };
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["IdentityConfirmation"];
                        statusCode: 200;success: true;
                    };
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getAdminAuthRights: {
        parameters: { header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; }; };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 403, 404 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["IdentityOwnRights"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["NotFound"];
                };
            };
            401: components["responses"]["Refusal401Forbidden"];
            403: components["responses"]["Refusal403Forbidden"];
            404: components["responses"]["Refusal404NotFound"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getAdminAuthTotp: {
        parameters: { header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; }; };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 403 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["IdentityTotp"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Forbidden"];
                };
            };
            401: components["responses"]["Refusal401Forbidden"];
            403: components["responses"]["Refusal403Forbidden"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    putAdminAuthTotp: {
        parameters: { header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; }; };
        requestBody: { content: { "application/json": { code: string; }; }; };
        responses: {
            /** @description Success, or a refusal with `statusCode` 403 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["IdentityRecoveryCodes"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Forbidden"];
                };
            };
            401: components["responses"]["Refusal401Forbidden"];
            403: components["responses"]["Refusal403Forbidden"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postAdminAuthTotp: {
        parameters: { header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; }; };
        requestBody: { content: { "application/json": { current_password: string; }; }; };
        responses: {
            /** @description Success, or a refusal with `statusCode` 403, 404, 409 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["IdentityTotpSecret"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["NotFound"] | components["schemas"]["Conflict"];
                };
            };
            401: components["responses"]["Refusal401Forbidden"];
            403: components["responses"]["Refusal403Forbidden"];
            404: components["responses"]["Refusal404NotFound"];
            409: components["responses"]["Refusal409Conflict"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    deleteAdminAuthTotp: {
        parameters: { header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; }; };
        requestBody: { content: { "application/json": { current_password: string; }; }; };
        responses: {
            /** @description Success, or a refusal with `statusCode` 403, 404 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["IdentityConfirmation"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["NotFound"];
                };
            };
            401: components["responses"]["Refusal401Forbidden"];
            403: components["responses"]["Refusal403Forbidden"];
            404: components["responses"]["Refusal404NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postAdminBookingsall: {
        parameters: { header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; }; };
        requestBody?: {
            content: {
                "application/json": {
                    filter_value?: string;
                    /** Format: date */
                    from?: string;
                    /**
                     * @description `asc`: oldest first.
                     * @enum {string}
                     */
                    order?: "asc" | "desc";
                    page?: number;
                    pageItems?: number;
                    /** Format: date */
                    starts_from?: string;
                    /** Format: date */
                    starts_to?: string;
                    /** @enum {string} */
                    status?: "requested" | "confirmed" | "declined" | "canceled" | "missed" | "done";
                    /** Format: date */
                    to?: string;
                    user_id?: number;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 403 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["CallsAdminBookingPage"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"];
                };
            };
            401: components["responses"]["Refusal401Forbidden"];
            403: components["responses"]["Refusal403ForbiddenOrSecondFactor"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    putAdminBreaksId: {
        parameters: {
            header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; };
            path: { id: string; };
        };
        requestBody: {
            content: {
                "application/json": {
                    note: string;
                    /** @enum {string} */
                    status: "open" | "resolved";
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 403, 404, 409 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["WalletBreak"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"] | components["schemas"]["NotFound"] | components["schemas"]["Conflict"];
                };
            };
            401: components["responses"]["Refusal401Forbidden"];
            403: components["responses"]["Refusal403ForbiddenOrSecondFactor"];
            404: components["responses"]["Refusal404NotFound"];
            409: components["responses"]["Refusal409Conflict"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postAdminBreaksall: {
        parameters: { header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; }; };
        requestBody?: {
            content: {
                "application/json": {
                    filter_value?: string;
                    /** Format: date */
                    from?: string;
                    /** @enum {string} */
                    kind?: "only_ours" | "only_theirs" | "amount" | "status" | "returned" | "over_limit";
                    /**
                     * @description `asc`: oldest first.
                     * @enum {string}
                     */
                    order?: "asc" | "desc";
                    page?: number;
                    pageItems?: number;
                    /** @enum {string} */
                    status?: "open" | "resolved";
                    /** Format: date */
                    to?: string;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 403 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["WalletBreakPage"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"];
                };
            };
            401: components["responses"]["Refusal401Forbidden"];
            403: components["responses"]["Refusal403ForbiddenOrSecondFactor"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getAdminCallsIdentifier: {
        parameters: {
            header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; };
            path: { identifier: string; };
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 403, 404 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["CallsCallDetail"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"] | components["schemas"]["NotFound"];
                };
            };
            401: components["responses"]["Refusal401Forbidden"];
            403: components["responses"]["Refusal403ForbiddenOrSecondFactor"];
            404: components["responses"]["Refusal404NotFound"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postAdminCallsIdentifierRefund: {
        parameters: {
            header?: {
                /** @description A key of your own for this one intention, at most 255 characters. For 24 hours a repeat with the same key and body gets the first answer, with the header `Idempotent-Replayed: true`, and nothing happens twice. With another body it is a 422; while the first request still runs it is a 409. */
                "Idempotency-Key"?: string;
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path: { identifier: string; };
        };
        requestBody?: {
            content: {
                "application/json": {
                    amount?: number;
                    reason?: string;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 403, 404, 409 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["WalletPayment"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"] | components["schemas"]["NotFound"] | components["schemas"]["Conflict"];
                };
            };
            401: components["responses"]["Refusal401Forbidden"];
            403: components["responses"]["Refusal403ForbiddenOrSecondFactor"];
            404: components["responses"]["Refusal404NotFound"];
            409: components["responses"]["Refusal409Conflict"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postAdminCallsall: {
        parameters: { header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; }; };
        requestBody?: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    call_type?: "video" | "audio";
                    filter_value?: string;
                    /** Format: date */
                    from?: string;
                    /**
                     * @description `asc`: oldest first.
                     * @enum {string}
                     */
                    order?: "asc" | "desc";
                    page?: number;
                    pageItems?: number;
                    /** @enum {string} */
                    state?: "ringing" | "active" | "ended" | "rejected" | "missed" | "canceled";
                    /** Format: date */
                    to?: string;
                    user_id?: number;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 403 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["CallsCallPage"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"];
                };
            };
            401: components["responses"]["Refusal401Forbidden"];
            403: components["responses"]["Refusal403ForbiddenOrSecondFactor"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    putAdminDepositRefundsId: {
        parameters: {
            header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; };
            path: { id: string; };
        };
        requestBody: {
            content: {
                "application/json": {
                    details?: string;
                    /** @enum {string} */
                    expected_status?: "requested" | "sent" | "success" | "failed" | "canceled" | "rejected";
                    ref?: string;
                    /** @enum {string} */
                    status: "sent" | "rejected" | "success" | "failed";
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 403, 404, 409 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["WalletDepositRefund"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"] | components["schemas"]["NotFound"] | components["schemas"]["Conflict"];
                };
            };
            401: components["responses"]["Refusal401Forbidden"];
            403: components["responses"]["Refusal403ForbiddenOrSecondFactor"];
            404: components["responses"]["Refusal404NotFound"];
            409: components["responses"]["Refusal409Conflict"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postAdminDepositRefundsall: {
        parameters: { header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; }; };
        requestBody?: {
            content: {
                "application/json": {
                    deposit_id?: number;
                    filter_value?: string;
                    /** Format: date */
                    from?: string;
                    /**
                     * @description `asc`: oldest first.
                     * @enum {string}
                     */
                    order?: "asc" | "desc";
                    page?: number;
                    pageItems?: number;
                    /** @enum {string} */
                    status?: "requested" | "sent" | "success" | "failed" | "canceled" | "rejected";
                    /** Format: date */
                    to?: string;
                    user_id?: number;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 403 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["WalletDepositRefundPage"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"];
                };
            };
            401: components["responses"]["Refusal401Forbidden"];
            403: components["responses"]["Refusal403ForbiddenOrSecondFactor"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getAdminDepositsId: {
        parameters: {
            header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; };
            path: { id: string; };
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 403, 404 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["WalletDeposit"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"] | components["schemas"]["NotFound"];
                };
            };
            401: components["responses"]["Refusal401Forbidden"];
            403: components["responses"]["Refusal403ForbiddenOrSecondFactor"];
            404: components["responses"]["Refusal404NotFound"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    putAdminDepositsId: {
        parameters: {
            header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; };
            path: { id: string; };
        };
        requestBody: {
            content: {
                "application/json": {
                    details?: string;
                    /** @enum {string} */
                    expected_status?: "initiated" | "pending" | "success" | "failed" | "canceled";
                    ref?: string;
                    /** @enum {string} */
                    status: "initiated" | "pending" | "success" | "failed" | "canceled";
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 403, 404, 409 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["WalletDeposit"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"] | components["schemas"]["NotFound"] | components["schemas"]["Conflict"];
                };
            };
            401: components["responses"]["Refusal401Forbidden"];
            403: components["responses"]["Refusal403ForbiddenOrSecondFactor"];
            404: components["responses"]["Refusal404NotFound"];
            409: components["responses"]["Refusal409Conflict"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postAdminDepositsall: {
        parameters: { header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; }; };
        requestBody?: {
            content: {
                "application/json": {
                    filter_value?: string;
                    /** Format: date */
                    from?: string;
                    /**
                     * @description `asc`: oldest first.
                     * @enum {string}
                     */
                    order?: "asc" | "desc";
                    page?: number;
                    pageItems?: number;
                    /** @enum {string} */
                    status?: "initiated" | "pending" | "success" | "failed" | "canceled";
                    /** Format: date */
                    to?: string;
                    user_id?: number;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 403 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["WalletDepositPage"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"];
                };
            };
            401: components["responses"]["Refusal401Forbidden"];
            403: components["responses"]["Refusal403ForbiddenOrSecondFactor"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getAdminDeskAgents: {
        parameters: { header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; }; };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 403 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["MessagingNamed"][];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"];
                };
            };
            401: components["responses"]["Refusal401Forbidden"];
            403: components["responses"]["Refusal403ForbiddenOrSecondFactor"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postAdminDeskCases: {
        parameters: {
            header?: {
                /** @description A key of your own for this one intention, at most 255 characters. For 24 hours a repeat with the same key and body gets the first answer, with the header `Idempotent-Replayed: true`, and nothing happens twice. With another body it is a 422; while the first request still runs it is a 409. */
                "Idempotency-Key"?: string;
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    message: string;
                    user_id: number;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 403, 409 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["MessagingSupportCase"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"] | components["schemas"]["Conflict"];
                };
            };
            401: components["responses"]["Refusal401Forbidden"];
            403: components["responses"]["Refusal403ForbiddenOrSecondFactor"];
            409: components["responses"]["Refusal409Conflict"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getAdminDeskCasesId: {
        parameters: {
            header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; };
            path: { id: string; };
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 403, 404 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["MessagingSupportCaseDetail"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"] | components["schemas"]["NotFound"];
                };
            };
            401: components["responses"]["Refusal401Forbidden"];
            403: components["responses"]["Refusal403ForbiddenOrSecondFactor"];
            404: components["responses"]["Refusal404NotFound"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    putAdminDeskCasesId: {
        parameters: {
            header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; };
            path: { id: string; };
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Null: nobody. */
                    assignee_id?: number | null;
                    expected_version?: number;
                    labels?: string[];
                    /** @description Null: until the next message. */
                    snoozed_until?: string | null;
                    /** @enum {string} */
                    state?: "open" | "snoozed" | "resolved";
                    subject?: string;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 403, 404, 409 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["MessagingSupportCase"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"] | components["schemas"]["NotFound"] | components["schemas"]["Conflict"];
                };
            };
            401: components["responses"]["Refusal401Forbidden"];
            403: components["responses"]["Refusal403ForbiddenOrSecondFactor"];
            404: components["responses"]["Refusal404NotFound"];
            409: components["responses"]["Refusal409Conflict"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postAdminDeskCasesIdNotes: {
        parameters: {
            header?: {
                /** @description A key of your own for this one intention, at most 255 characters. For 24 hours a repeat with the same key and body gets the first answer, with the header `Idempotent-Replayed: true`, and nothing happens twice. With another body it is a 422; while the first request still runs it is a 409. */
                "Idempotency-Key"?: string;
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path: { id: string; };
        };
        requestBody: { content: { "application/json": { text: string; }; }; };
        responses: {
            /** @description Success, or a refusal with `statusCode` 403, 404, 409 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["MessagingCaseNote"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"] | components["schemas"]["NotFound"] | components["schemas"]["Conflict"];
                };
            };
            401: components["responses"]["Refusal401Forbidden"];
            403: components["responses"]["Refusal403ForbiddenOrSecondFactor"];
            404: components["responses"]["Refusal404NotFound"];
            409: components["responses"]["Refusal409Conflict"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postAdminDeskCasesall: {
        parameters: { header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; }; };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description `me`, `none`, or the id of an administrator. */
                    assignee?: ("me" | "none") | number;
                    filter_value?: string;
                    label?: string;
                    /**
                     * @description `asc`: oldest first.
                     * @enum {string}
                     */
                    order?: "asc" | "desc";
                    page?: number;
                    pageItems?: number;
                    /** @description Finds the newest matching messages and notes of the room (from three characters on), and names, without case and accents; and an exact id, which comes first. */
                    q?: string;
                    /**
                     * @description `waiting` (the default): longest first; `newest`: latest opened first.
                     * @enum {string}
                     */
                    sort?: "waiting" | "newest";
                    /** @enum {string} */
                    state?: "open" | "snoozed" | "resolved";
                    user_id?: number;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 403 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["MessagingSupportCasePage"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"];
                };
            };
            401: components["responses"]["Refusal401Forbidden"];
            403: components["responses"]["Refusal403ForbiddenOrSecondFactor"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getAdminDeskCounts: {
        parameters: { header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; }; };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 403 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["MessagingDeskCounts"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"];
                };
            };
            401: components["responses"]["Refusal401Forbidden"];
            403: components["responses"]["Refusal403ForbiddenOrSecondFactor"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    putAdminDeskNotesNoteId: {
        parameters: {
            header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; };
            path: { note_id: string; };
        };
        requestBody: { content: { "application/json": { text: string; }; }; };
        responses: {
            /** @description Success, or a refusal with `statusCode` 403, 404 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["MessagingCaseNote"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"] | components["schemas"]["NotFound"];
                };
            };
            401: components["responses"]["Refusal401Forbidden"];
            403: components["responses"]["Refusal403ForbiddenOrSecondFactor"];
            404: components["responses"]["Refusal404NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    deleteAdminDeskNotesNoteId: {
        parameters: {
            header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; };
            path: { note_id: string; };
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 403, 404 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["MessagingConfirmation"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"] | components["schemas"]["NotFound"];
                };
            };
            401: components["responses"]["Refusal401Forbidden"];
            403: components["responses"]["Refusal403ForbiddenOrSecondFactor"];
            404: components["responses"]["Refusal404NotFound"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    putAdminDeskPresence: {
        parameters: { header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; }; };
        requestBody: {
            content: {
                "application/json": {
                    case_id: number;
                    /** @enum {string} */
                    state: "viewing" | "typing" | "left";
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 403 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["MessagingDeskOthers"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"];
                };
            };
            401: components["responses"]["Refusal401Forbidden"];
            403: components["responses"]["Refusal403ForbiddenOrSecondFactor"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getAdminDeskReplies: {
        parameters: { header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; }; };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 403 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["MessagingSavedReply"][];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"];
                };
            };
            401: components["responses"]["Refusal401Forbidden"];
            403: components["responses"]["Refusal403ForbiddenOrSecondFactor"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postAdminDeskReplies: {
        parameters: {
            header?: {
                /** @description A key of your own for this one intention, at most 255 characters. For 24 hours a repeat with the same key and body gets the first answer, with the header `Idempotent-Replayed: true`, and nothing happens twice. With another body it is a 422; while the first request still runs it is a 409. */
                "Idempotency-Key"?: string;
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    shortcut: string;
                    text_en: string;
                    text_fr: string;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 403, 409 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["MessagingSavedReply"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"] | components["schemas"]["Conflict"];
                };
            };
            401: components["responses"]["Refusal401Forbidden"];
            403: components["responses"]["Refusal403ForbiddenOrSecondFactor"];
            409: components["responses"]["Refusal409Conflict"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getAdminDeskRepliesId: {
        parameters: {
            header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; };
            path: { id: string; };
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 403, 404 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["MessagingSavedReply"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"] | components["schemas"]["NotFound"];
                };
            };
            401: components["responses"]["Refusal401Forbidden"];
            403: components["responses"]["Refusal403ForbiddenOrSecondFactor"];
            404: components["responses"]["Refusal404NotFound"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    putAdminDeskRepliesId: {
        parameters: {
            header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; };
            path: { id: string; };
        };
        requestBody: {
            content: {
                "application/json": {
                    shortcut: string;
                    text_en: string;
                    text_fr: string;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 403, 404 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["MessagingSavedReply"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"] | components["schemas"]["NotFound"];
                };
            };
            401: components["responses"]["Refusal401Forbidden"];
            403: components["responses"]["Refusal403ForbiddenOrSecondFactor"];
            404: components["responses"]["Refusal404NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    deleteAdminDeskRepliesId: {
        parameters: {
            header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; };
            path: { id: string; };
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 403, 404 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["MessagingConfirmation"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"] | components["schemas"]["NotFound"];
                };
            };
            401: components["responses"]["Refusal401Forbidden"];
            403: components["responses"]["Refusal403ForbiddenOrSecondFactor"];
            404: components["responses"]["Refusal404NotFound"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postAdminDeskRepliesIdRender: {
        parameters: {
            header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; };
            path: { id: string; };
        };
        requestBody: { content: { "application/json": { case_id: number; }; }; };
        responses: {
            /** @description Success, or a refusal with `statusCode` 403, 404 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["MessagingRenderedReply"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"] | components["schemas"]["NotFound"];
                };
            };
            401: components["responses"]["Refusal401Forbidden"];
            403: components["responses"]["Refusal403ForbiddenOrSecondFactor"];
            404: components["responses"]["Refusal404NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getAdminDeskStats: {
        parameters: {
            query: {
                from: string;
                to: string;
            };
            header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; };
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 403 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["MessagingDeskStats"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"];
                };
            };
            401: components["responses"]["Refusal401Forbidden"];
            403: components["responses"]["Refusal403ForbiddenOrSecondFactor"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getAdminDisputesId: {
        parameters: {
            header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; };
            path: { id: string; };
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 403, 404 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["WalletDisputeDetail"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"] | components["schemas"]["NotFound"];
                };
            };
            401: components["responses"]["Refusal401Forbidden"];
            403: components["responses"]["Refusal403ForbiddenOrSecondFactor"];
            404: components["responses"]["Refusal404NotFound"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getAdminDisputesIdEvidence: {
        parameters: {
            header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; };
            path: { id: string; };
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 403, 404 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["WalletEvidence"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"] | components["schemas"]["NotFound"];
                };
            };
            401: components["responses"]["Refusal401Forbidden"];
            403: components["responses"]["Refusal403ForbiddenOrSecondFactor"];
            404: components["responses"]["Refusal404NotFound"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postAdminDisputesIdWriteOff: {
        parameters: {
            header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; };
            path: { id: string; };
        };
        requestBody: { content: { "application/json": { reason: string; }; }; };
        responses: {
            /** @description Success, or a refusal with `statusCode` 403, 404 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["WalletDispute"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"] | components["schemas"]["NotFound"];
                };
            };
            401: components["responses"]["Refusal401Forbidden"];
            403: components["responses"]["Refusal403ForbiddenOrSecondFactor"];
            404: components["responses"]["Refusal404NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postAdminDisputesall: {
        parameters: { header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; }; };
        requestBody?: {
            content: {
                "application/json": {
                    deposit_id?: number;
                    filter_value?: string;
                    /** Format: date */
                    from?: string;
                    /**
                     * @description `asc`: oldest first.
                     * @enum {string}
                     */
                    order?: "asc" | "desc";
                    page?: number;
                    pageItems?: number;
                    /** @enum {string} */
                    status?: "inquiry" | "needs_response" | "under_review" | "won" | "lost";
                    /** Format: date */
                    to?: string;
                    user_id?: number;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 403 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["WalletDisputePage"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"];
                };
            };
            401: components["responses"]["Refusal401Forbidden"];
            403: components["responses"]["Refusal403ForbiddenOrSecondFactor"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getAdminInvitations: {
        parameters: { header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; }; };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 403 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["IdentityInvitation"][];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"];
                };
            };
            401: components["responses"]["Refusal401Forbidden"];
            403: components["responses"]["Refusal403ForbiddenOrSecondFactor"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postAdminInvitations: {
        parameters: {
            header?: {
                /** @description A key of your own for this one intention, at most 255 characters. For 24 hours a repeat with the same key and body gets the first answer, with the header `Idempotent-Replayed: true`, and nothing happens twice. With another body it is a 422; while the first request still runs it is a 409. */
                "Idempotency-Key"?: string;
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: email */
                    email: string;
                    name: string;
                    roles: ("all" | "support" | "finance" | "approver" | "viewer")[];
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 403, 409 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["IdentityInvitation"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"] | components["schemas"]["Conflict"];
                };
            };
            401: components["responses"]["Refusal401Forbidden"];
            403: components["responses"]["Refusal403ForbiddenOrSecondFactor"];
            409: components["responses"]["Refusal409Conflict"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    deleteAdminInvitationsId: {
        parameters: {
            header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; };
            path: { id: string; };
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 403, 404, 409 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["IdentityConfirmation"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"] | components["schemas"]["NotFound"] | components["schemas"]["Conflict"];
                };
            };
            401: components["responses"]["Refusal401Forbidden"];
            403: components["responses"]["Refusal403ForbiddenOrSecondFactor"];
            404: components["responses"]["Refusal404NotFound"];
            409: components["responses"]["Refusal409Conflict"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postAdminInvitationsIdResend: {
        parameters: {
            header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; };
            path: { id: string; };
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 403, 404, 409 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["IdentityConfirmation"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"] | components["schemas"]["NotFound"] | components["schemas"]["Conflict"];
                };
            };
            401: components["responses"]["Refusal401Forbidden"];
            403: components["responses"]["Refusal403ForbiddenOrSecondFactor"];
            404: components["responses"]["Refusal404NotFound"];
            409: components["responses"]["Refusal409Conflict"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postAdminPayoutBatches: {
        parameters: {
            header?: {
                /** @description A key of your own for this one intention, at most 255 characters. For 24 hours a repeat with the same key and body gets the first answer, with the header `Idempotent-Replayed: true`, and nothing happens twice. With another body it is a 422; while the first request still runs it is a 409. */
                "Idempotency-Key"?: string;
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    format: "csv" | "pain.001" | "provider";
                    /** Format: note */
                    note?: string;
                    withdrawal_ids: number[];
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 403, 409 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["WalletPayoutBatch"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"] | components["schemas"]["Conflict"];
                };
            };
            401: components["responses"]["Refusal401Forbidden"];
            403: components["responses"]["Refusal403ForbiddenOrSecondFactor"];
            409: components["responses"]["Refusal409Conflict"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getAdminPayoutBatchesId: {
        parameters: {
            header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; };
            path: { id: string; };
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 403, 404 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["WalletPayoutBatch"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"] | components["schemas"]["NotFound"];
                };
            };
            401: components["responses"]["Refusal401Forbidden"];
            403: components["responses"]["Refusal403ForbiddenOrSecondFactor"];
            404: components["responses"]["Refusal404NotFound"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postAdminPayoutBatchesIdApprove: {
        parameters: {
            header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; };
            path: { id: string; };
        };
        requestBody?: { content: { "application/json": { expected_version?: number; }; }; };
        responses: {
            /** @description Success, or a refusal with `statusCode` 403, 404, 409 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["WalletPayoutBatch"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"] | components["schemas"]["NotFound"] | components["schemas"]["Conflict"];
                };
            };
            401: components["responses"]["Refusal401Forbidden"];
            403: components["responses"]["Refusal403ForbiddenOrSecondFactor"];
            404: components["responses"]["Refusal404NotFound"];
            409: components["responses"]["Refusal409Conflict"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postAdminPayoutBatchesIdCancel: {
        parameters: {
            header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; };
            path: { id: string; };
        };
        requestBody?: { content: { "application/json": { expected_version?: number; }; }; };
        responses: {
            /** @description Success, or a refusal with `statusCode` 403, 404, 409 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["WalletPayoutBatch"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"] | components["schemas"]["NotFound"] | components["schemas"]["Conflict"];
                };
            };
            401: components["responses"]["Refusal401Forbidden"];
            403: components["responses"]["Refusal403ForbiddenOrSecondFactor"];
            404: components["responses"]["Refusal404NotFound"];
            409: components["responses"]["Refusal409Conflict"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postAdminPayoutBatchesIdExport: {
        parameters: {
            header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; };
            path: { id: string; };
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 403, 404, 409 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["WalletPayoutBatch"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"] | components["schemas"]["NotFound"] | components["schemas"]["Conflict"];
                };
            };
            401: components["responses"]["Refusal401Forbidden"];
            403: components["responses"]["Refusal403ForbiddenOrSecondFactor"];
            404: components["responses"]["Refusal404NotFound"];
            409: components["responses"]["Refusal409Conflict"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getAdminPayoutBatchesIdFile: {
        parameters: { path: { id: string; }; };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: { content: { "application/octet-stream": string; }; };
            401: components["responses"]["Refusal401Forbidden"];
            403: components["responses"]["Refusal403SecondFactor"];
            404: components["responses"]["Refusal404NotFound"];
            409: components["responses"]["Refusal409Conflict"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getAdminPayoutBatchesIdItems: {
        parameters: {
            query?: {
                /** @description `asc`: oldest first. */
                order?: "asc" | "desc";
                page?: number;
                pageItems?: number;
                status?: "waiting" | "sent" | "paid" | "failed" | "uncertain" | "removed" | "returned";
            };
            header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; };
            path: { id: string; };
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 403, 404 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["WalletPayoutItemPage"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"] | components["schemas"]["NotFound"];
                };
            };
            401: components["responses"]["Refusal401Forbidden"];
            403: components["responses"]["Refusal403ForbiddenOrSecondFactor"];
            404: components["responses"]["Refusal404NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    putAdminPayoutBatchesIdItemsItemId: {
        parameters: {
            header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; };
            path: {
                id: string;
                item_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    message: string;
                    provider_ref?: string;
                    /** @enum {string} */
                    status: "paid" | "failed" | "returned";
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 403, 404, 409 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["WalletPayoutItem"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"] | components["schemas"]["NotFound"] | components["schemas"]["Conflict"];
                };
            };
            401: components["responses"]["Refusal401Forbidden"];
            403: components["responses"]["Refusal403ForbiddenOrSecondFactor"];
            404: components["responses"]["Refusal404NotFound"];
            409: components["responses"]["Refusal409Conflict"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    deleteAdminPayoutBatchesIdItemsItemId: {
        parameters: {
            header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; };
            path: {
                id: string;
                item_id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 403, 404, 409 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["WalletConfirmation"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"] | components["schemas"]["NotFound"] | components["schemas"]["Conflict"];
                };
            };
            401: components["responses"]["Refusal401Forbidden"];
            403: components["responses"]["Refusal403ForbiddenOrSecondFactor"];
            404: components["responses"]["Refusal404NotFound"];
            409: components["responses"]["Refusal409Conflict"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postAdminPayoutBatchesIdResults: {
        parameters: {
            header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; };
            path: { id: string; };
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /** Format: binary */
                    file: string;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 403, 404, 409 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["WalletPayoutImport"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"] | components["schemas"]["NotFound"] | components["schemas"]["Conflict"];
                };
            };
            401: components["responses"]["Refusal401Forbidden"];
            403: components["responses"]["Refusal403ForbiddenOrSecondFactor"];
            404: components["responses"]["Refusal404NotFound"];
            409: components["responses"]["Refusal409Conflict"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postAdminPayoutBatchesIdResultsImportIdApply: {
        parameters: {
            header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; };
            path: {
                id: string;
                import_id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 403, 404 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["WalletAppliedResults"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"] | components["schemas"]["NotFound"];
                };
            };
            401: components["responses"]["Refusal401Forbidden"];
            403: components["responses"]["Refusal403ForbiddenOrSecondFactor"];
            404: components["responses"]["Refusal404NotFound"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postAdminPayoutBatchesPreview: {
        parameters: { header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; }; };
        requestBody: { content: { "application/json": { withdrawal_ids: number[]; }; }; };
        responses: {
            /** @description Success, or a refusal with `statusCode` 403 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["WalletPayoutPreview"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"];
                };
            };
            401: components["responses"]["Refusal401Forbidden"];
            403: components["responses"]["Refusal403ForbiddenOrSecondFactor"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postAdminPayoutBatchesall: {
        parameters: { header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; }; };
        requestBody?: {
            content: {
                "application/json": {
                    filter_value?: string;
                    /** @enum {string} */
                    format?: "csv" | "pain.001" | "provider";
                    /** Format: date */
                    from?: string;
                    /**
                     * @description `asc`: oldest first.
                     * @enum {string}
                     */
                    order?: "asc" | "desc";
                    page?: number;
                    pageItems?: number;
                    /** @enum {string} */
                    status?: "draft" | "approved" | "exported" | "closed" | "canceled";
                    /** Format: date */
                    to?: string;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 403 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["WalletPayoutBatchPage"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"];
                };
            };
            401: components["responses"]["Refusal401Forbidden"];
            403: components["responses"]["Refusal403ForbiddenOrSecondFactor"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postAdminPlans: {
        parameters: { header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; }; };
        requestBody: {
            content: {
                "application/json": {
                    image_cost: number;
                    name: string;
                    points: number;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 403 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["IdentityPlan"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"];
                };
            };
            401: components["responses"]["Refusal401Forbidden"];
            403: components["responses"]["Refusal403ForbiddenOrSecondFactor"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    putAdminPlansId: {
        parameters: {
            header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; };
            path: { id: string; };
        };
        requestBody?: {
            content: {
                "application/json": {
                    image_cost?: number;
                    name?: string;
                    points?: number;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 403, 404 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["IdentityPlan"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"] | components["schemas"]["NotFound"];
                };
            };
            401: components["responses"]["Refusal401Forbidden"];
            403: components["responses"]["Refusal403ForbiddenOrSecondFactor"];
            404: components["responses"]["Refusal404NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    deleteAdminPlansId: {
        parameters: {
            header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; };
            path: { id: string; };
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 403, 404, 409 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["IdentityConfirmation"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"] | components["schemas"]["NotFound"] | components["schemas"]["Conflict"];
                };
            };
            401: components["responses"]["Refusal401Forbidden"];
            403: components["responses"]["Refusal403ForbiddenOrSecondFactor"];
            404: components["responses"]["Refusal404NotFound"];
            409: components["responses"]["Refusal409Conflict"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postAdminReconciliations: {
        parameters: { header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; }; };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /** Format: binary */
                    file: string;
                    /** Format: date */
                    from: string;
                    provider: string;
                    /** Format: date */
                    to: string;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 403 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["WalletReconciliation"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"];
                };
            };
            401: components["responses"]["Refusal401Forbidden"];
            403: components["responses"]["Refusal403ForbiddenOrSecondFactor"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getAdminReportsId: {
        parameters: {
            header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; };
            path: { id: string; };
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 403, 404 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["MessagingAdminReport"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"] | components["schemas"]["NotFound"];
                };
            };
            401: components["responses"]["Refusal401Forbidden"];
            403: components["responses"]["Refusal403ForbiddenOrSecondFactor"];
            404: components["responses"]["Refusal404NotFound"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    putAdminReportsId: {
        parameters: {
            header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; };
            path: { id: string; };
        };
        requestBody: {
            content: {
                "application/json": {
                    note?: string;
                    /** @enum {string} */
                    status: "open" | "resolved" | "rejected";
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 403, 404 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["MessagingAdminReport"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"] | components["schemas"]["NotFound"];
                };
            };
            401: components["responses"]["Refusal401Forbidden"];
            403: components["responses"]["Refusal403ForbiddenOrSecondFactor"];
            404: components["responses"]["Refusal404NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postAdminReportsall: {
        parameters: { header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; }; };
        requestBody?: {
            content: {
                "application/json": {
                    filter_value?: string;
                    /** Format: date */
                    from?: string;
                    /**
                     * @description `asc`: oldest first.
                     * @enum {string}
                     */
                    order?: "asc" | "desc";
                    page?: number;
                    pageItems?: number;
                    /** @enum {string} */
                    status?: "open" | "resolved" | "rejected";
                    /** Format: date */
                    to?: string;
                    user_id?: number;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 403 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["MessagingAdminReportPage"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"];
                };
            };
            401: components["responses"]["Refusal401Forbidden"];
            403: components["responses"]["Refusal403ForbiddenOrSecondFactor"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    putAdminReviewsId: {
        parameters: {
            header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; };
            path: { id: string; };
        };
        requestBody: {
            content: {
                "application/json": {
                    hidden: boolean;
                    reason?: string;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 403, 404 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["CallsReview"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"] | components["schemas"]["NotFound"];
                };
            };
            401: components["responses"]["Refusal401Forbidden"];
            403: components["responses"]["Refusal403ForbiddenOrSecondFactor"];
            404: components["responses"]["Refusal404NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postAdminReviewsall: {
        parameters: { header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; }; };
        requestBody?: {
            content: {
                "application/json": {
                    filter_value?: string;
                    /** Format: date */
                    from?: string;
                    hidden?: boolean;
                    /**
                     * @description `asc`: oldest first.
                     * @enum {string}
                     */
                    order?: "asc" | "desc";
                    page?: number;
                    pageItems?: number;
                    rating?: number;
                    /** Format: date */
                    to?: string;
                    user_id?: number;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 403 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["CallsReviewPage"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"];
                };
            };
            401: components["responses"]["Refusal401Forbidden"];
            403: components["responses"]["Refusal403ForbiddenOrSecondFactor"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getAdminRoles: {
        parameters: { header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; }; };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 403 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["IdentityRole"][];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"];
                };
            };
            401: components["responses"]["Refusal401Forbidden"];
            403: components["responses"]["Refusal403ForbiddenOrSecondFactor"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getAdminRooms: {
        parameters: {
            query?: {
                before?: string;
                limit?: number;
                unanswered?: boolean;
                user_id?: number;
            };
            header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; };
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 403 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["MessagingSupportRoomItem"][];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"];
                };
            };
            401: components["responses"]["Refusal401Forbidden"];
            403: components["responses"]["Refusal403ForbiddenOrSecondFactor"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getAdminRoomsUuid: {
        parameters: {
            query?: {
                /** @description Only messages newer than this id, the oldest of them first. */
                after?: number;
                /** @description Only messages older than this id. */
                before?: number;
                limit?: number;
            };
            header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; };
            path: { uuid: string; };
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 403, 404 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["MessagingSupportRoom"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"] | components["schemas"]["NotFound"];
                };
            };
            401: components["responses"]["Refusal401Forbidden"];
            403: components["responses"]["Refusal403ForbiddenOrSecondFactor"];
            404: components["responses"]["Refusal404NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postAdminRoomsUuidFiles: {
        parameters: {
            header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; };
            path: { uuid: string; };
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /** Format: binary */
                    file: string;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 403, 404, 409 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["MessagingFile"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"] | components["schemas"]["NotFound"] | components["schemas"]["Conflict"];
                };
            };
            401: components["responses"]["Refusal401Forbidden"];
            403: components["responses"]["Refusal403ForbiddenOrSecondFactor"];
            404: components["responses"]["Refusal404NotFound"];
            409: components["responses"]["Refusal409Conflict"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postAdminRoomsUuidMessages: {
        parameters: {
            header?: {
                /** @description A key of your own for this one intention, at most 255 characters. For 24 hours a repeat with the same key and body gets the first answer, with the header `Idempotent-Replayed: true`, and nothing happens twice. With another body it is a 422; while the first request still runs it is a 409. */
                "Idempotency-Key"?: string;
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path: { uuid: string; };
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The app's own id of this message. A repeat with the same id returns the first message and sends nothing. */
                    client_message_id?: string;
                    message?: string;
                    message_link?: string;
                    /** @description Also resolves the user's case. */
                    resolve?: boolean;
                    /**
                     * @default message
                     * @enum {string}
                     */
                    type?: "message" | "image" | "audio" | "video" | "file";
                } & ({
                    message: string;
                } | {
                    message_link: string;
                });
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 403, 404, 409 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["MessagingMessage"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"] | components["schemas"]["NotFound"] | components["schemas"]["Conflict"];
                };
            };
            401: components["responses"]["Refusal401Forbidden"];
            403: components["responses"]["Refusal403ForbiddenOrSecondFactor"];
            404: components["responses"]["Refusal404NotFound"];
            409: components["responses"]["Refusal409Conflict"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postAdminServices: {
        parameters: { header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; }; };
        requestBody: {
            content: {
                "application/json": {
                    base_cost: number;
                    iterator: number;
                    iterator_cost: number;
                    name: string;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 403 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["CallsService"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"];
                };
            };
            401: components["responses"]["Refusal401Forbidden"];
            403: components["responses"]["Refusal403ForbiddenOrSecondFactor"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    putAdminServicesId: {
        parameters: {
            header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; };
            path: { id: string; };
        };
        requestBody?: {
            content: {
                "application/json": {
                    base_cost?: number;
                    iterator?: number;
                    iterator_cost?: number;
                    name?: string;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 403, 404, 409 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["CallsService"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"] | components["schemas"]["NotFound"] | components["schemas"]["Conflict"];
                };
            };
            401: components["responses"]["Refusal401Forbidden"];
            403: components["responses"]["Refusal403ForbiddenOrSecondFactor"];
            404: components["responses"]["Refusal404NotFound"];
            409: components["responses"]["Refusal409Conflict"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    deleteAdminServicesId: {
        parameters: {
            header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; };
            path: { id: string; };
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 403, 404, 409 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["CallsConfirmation"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"] | components["schemas"]["NotFound"] | components["schemas"]["Conflict"];
                };
            };
            401: components["responses"]["Refusal401Forbidden"];
            403: components["responses"]["Refusal403ForbiddenOrSecondFactor"];
            404: components["responses"]["Refusal404NotFound"];
            409: components["responses"]["Refusal409Conflict"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getAdminSettingsId: {
        parameters: {
            header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; };
            path: { id: string; };
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 403, 404 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["IdentitySetting"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"] | components["schemas"]["NotFound"];
                };
            };
            401: components["responses"]["Refusal401Forbidden"];
            403: components["responses"]["Refusal403ForbiddenOrSecondFactor"];
            404: components["responses"]["Refusal404NotFound"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    putAdminSettingsId: {
        parameters: {
            header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; };
            path: { id: string; };
        };
        requestBody: { content: { "application/json": { value: number; }; }; };
        responses: {
            /** @description Success, or a refusal with `statusCode` 403, 404 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["IdentitySetting"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"] | components["schemas"]["NotFound"];
                };
            };
            401: components["responses"]["Refusal401Forbidden"];
            403: components["responses"]["Refusal403ForbiddenOrSecondFactor"];
            404: components["responses"]["Refusal404NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postAdminSettingsall: {
        parameters: { header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; }; };
        requestBody?: {
            content: {
                "application/json": {
                    filter_value?: string;
                    /**
                     * @description `asc`: oldest first.
                     * @enum {string}
                     */
                    order?: "asc" | "desc";
                    page?: number;
                    pageItems?: number;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 403 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["IdentitySettingPage"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"];
                };
            };
            401: components["responses"]["Refusal401Forbidden"];
            403: components["responses"]["Refusal403ForbiddenOrSecondFactor"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postAdminSkills: {
        parameters: { header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; }; };
        requestBody: { content: { "application/json": { name: string; }; }; };
        responses: {
            /** @description Success, or a refusal with `statusCode` 403 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["IdentitySkill"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"];
                };
            };
            401: components["responses"]["Refusal401Forbidden"];
            403: components["responses"]["Refusal403ForbiddenOrSecondFactor"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    putAdminSkillsId: {
        parameters: {
            header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; };
            path: { id: string; };
        };
        requestBody: { content: { "application/json": { name: string; }; }; };
        responses: {
            /** @description Success, or a refusal with `statusCode` 403, 404 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["IdentitySkill"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"] | components["schemas"]["NotFound"];
                };
            };
            401: components["responses"]["Refusal401Forbidden"];
            403: components["responses"]["Refusal403ForbiddenOrSecondFactor"];
            404: components["responses"]["Refusal404NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    deleteAdminSkillsId: {
        parameters: {
            header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; };
            path: { id: string; };
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 403, 404, 409 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["IdentityConfirmation"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"] | components["schemas"]["NotFound"] | components["schemas"]["Conflict"];
                };
            };
            401: components["responses"]["Refusal401Forbidden"];
            403: components["responses"]["Refusal403ForbiddenOrSecondFactor"];
            404: components["responses"]["Refusal404NotFound"];
            409: components["responses"]["Refusal409Conflict"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getAdminStats: {
        parameters: { header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; }; };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 403 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["IdentityStats"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"];
                };
            };
            401: components["responses"]["Refusal401Forbidden"];
            403: components["responses"]["Refusal403ForbiddenOrSecondFactor"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getAdminStatsDaily: {
        parameters: {
            query: {
                from: string;
                to: string;
            };
            header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; };
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 403 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["IdentityDailyStats"][];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"];
                };
            };
            401: components["responses"]["Refusal401Forbidden"];
            403: components["responses"]["Refusal403ForbiddenOrSecondFactor"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getAdminUsersId: {
        parameters: {
            header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; };
            path: { id: string; };
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 403, 404 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["IdentityAdminUser"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"] | components["schemas"]["NotFound"];
                };
            };
            401: components["responses"]["Refusal401Forbidden"];
            403: components["responses"]["Refusal403ForbiddenOrSecondFactor"];
            404: components["responses"]["Refusal404NotFound"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    putAdminUsersId: {
        parameters: {
            header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; };
            path: { id: string; };
        };
        requestBody?: {
            content: {
                "application/json": {
                    reason?: string;
                    /** @enum {string} */
                    status?: "active" | "banned";
                    verified?: boolean;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 403, 404 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["IdentityAdminUser"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"] | components["schemas"]["NotFound"];
                };
            };
            401: components["responses"]["Refusal401Forbidden"];
            403: components["responses"]["Refusal403ForbiddenOrSecondFactor"];
            404: components["responses"]["Refusal404NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getAdminUsersIdWallet: {
        parameters: {
            header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; };
            path: { id: string; };
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 403, 404 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["Wallet"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"] | components["schemas"]["NotFound"];
                };
            };
            401: components["responses"]["Refusal401Forbidden"];
            403: components["responses"]["Refusal403ForbiddenOrSecondFactor"];
            404: components["responses"]["Refusal404NotFound"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postAdminUsersall: {
        parameters: { header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; }; };
        requestBody?: {
            content: {
                "application/json": {
                    filter_value?: string;
                    /** Format: date */
                    from?: string;
                    /**
                     * @description `asc`: oldest first.
                     * @enum {string}
                     */
                    order?: "asc" | "desc";
                    page?: number;
                    pageItems?: number;
                    /** @enum {string} */
                    platform?: "student" | "teacher";
                    /** @enum {string} */
                    status?: "active" | "banned";
                    /** Format: date */
                    to?: string;
                    verified?: boolean;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 403 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["IdentityUserPage"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"];
                };
            };
            401: components["responses"]["Refusal401Forbidden"];
            403: components["responses"]["Refusal403ForbiddenOrSecondFactor"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getAdminWithdrawalsId: {
        parameters: {
            header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; };
            path: { id: string; };
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 403, 404 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["WalletAdminWithdrawal"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"] | components["schemas"]["NotFound"];
                };
            };
            401: components["responses"]["Refusal401Forbidden"];
            403: components["responses"]["Refusal403ForbiddenOrSecondFactor"];
            404: components["responses"]["Refusal404NotFound"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    putAdminWithdrawalsId: {
        parameters: {
            header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; };
            path: { id: string; };
        };
        requestBody: {
            content: {
                "application/json": {
                    details?: string;
                    /** @enum {string} */
                    expected_status?: "initiated" | "pending" | "success" | "failed" | "canceled";
                    ref?: string;
                    /** @enum {string} */
                    status: "initiated" | "pending" | "success" | "failed" | "canceled";
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 403, 404, 409 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["WalletAdminWithdrawal"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"] | components["schemas"]["NotFound"] | components["schemas"]["Conflict"];
                };
            };
            401: components["responses"]["Refusal401Forbidden"];
            403: components["responses"]["Refusal403ForbiddenOrSecondFactor"];
            404: components["responses"]["Refusal404NotFound"];
            409: components["responses"]["Refusal409Conflict"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postAdminWithdrawalsall: {
        parameters: { header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; }; };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description `me`, or the id of an administrator: the withdrawals that they claimed last. */
                    claimed_by?: "me" | number;
                    filter_value?: string;
                    /** Format: date */
                    from?: string;
                    /**
                     * @description `asc`: oldest first.
                     * @enum {string}
                     */
                    order?: "asc" | "desc";
                    page?: number;
                    pageItems?: number;
                    /** @enum {string} */
                    status?: "initiated" | "pending" | "success" | "failed" | "canceled";
                    /** Format: date */
                    to?: string;
                    user_id?: number;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 403 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["WalletAdminWithdrawalPage"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"];
                };
            };
            401: components["responses"]["Refusal401Forbidden"];
            403: components["responses"]["Refusal403ForbiddenOrSecondFactor"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getAssetsAvatarPng: {
        parameters: {
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: { content: { "image/png": string; }; };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    putAuthDevice: {
        parameters: { header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; }; };
        requestBody: { content: { "application/json": { device_key: string | null; }; }; };
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403, 404 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["IdentitySession"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"] | components["schemas"]["NotFound"];
                };
            };
            401: components["responses"]["Refusal401Unauthenticated"];
            403: components["responses"]["Refusal403Forbidden"];
            404: components["responses"]["Refusal404NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postAuthGetToken: {
        parameters: { header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; }; };
        requestBody: {
            content: {
                "application/json": {
                    device_key?: string;
                    device_token?: string;
                    email: string;
                    fcm_token?: string;
                    password: string;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403, 404 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["IdentityLogin"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"] | components["schemas"]["NotFound"];
                };
            };
            401: components["responses"]["Refusal401Unauthenticated"];
            403: components["responses"]["Refusal403Forbidden"];
            404: components["responses"]["Refusal404NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postAuthLogin: {
        parameters: { header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; }; };
        requestBody?: {
            content: {
                "application/json": {
                    device_key?: string;
                    device_name?: string;
                    email?: string;
                    gauth_token?: string;
                    gauth_type?: string;
                    nonce?: string;
                    password?: string;
                    phone_number?: string;
                    platform?: string;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 404 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["IdentityLogin"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["NotFound"];
                };
            };
            404: components["responses"]["Refusal404NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postAuthLoginSendCode: {
        parameters: { header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; }; };
        requestBody: { content: { "application/json": { phone_number: string; }; }; };
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["IdentityConfirmation"];
                        statusCode: 200;success: true;
                    };
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postAuthLogout: {
        parameters: { header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; }; };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["IdentityConfirmation"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"];
                };
            };
            401: components["responses"]["Refusal401Unauthenticated"];
            403: components["responses"]["Refusal403Forbidden"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postAuthRegister: {
        parameters: { header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; }; };
        requestBody: {
            content: {
                "application/json": {
                    about_me?: string;
                    address?: string;
                    availability?: string;
                    bio?: string;
                    city?: string;
                    country?: string;
                    domains: number[];
                    /** Format: email */
                    email: string;
                    experience?: number;
                    gauth_token?: string;
                    /** @enum {string} */
                    gauth_type: "email" | "google" | "facebook" | "apple" | "phone_number";
                    level_study?: string;
                    name: string;
                    nonce?: string;
                    password?: string;
                    phone_number: string;
                    photo?: string;
                    plan?: number;
                    /** @enum {string} */
                    platform: "student" | "teacher";
                    subjects_interest?: string;
                    verified?: boolean;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["IdentityRegistration"];
                        statusCode: 200;success: true;
                    };
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postAuthRegisterSendCode: {
        parameters: { header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; }; };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: email */
                    email: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["IdentityConfirmation"];
                        statusCode: 200;success: true;
                    };
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postAuthRegisterVerify: {
        parameters: { header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; }; };
        requestBody: {
            content: {
                "application/json": {
                    code: string;
                    device_name?: string;
                    /** Format: email */
                    email: string;
                    phone_number: string;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 404 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["IdentityVerifiedRegistration"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["NestedNotFound"];
                };
            };
            404: components["responses"]["Refusal404NestedNotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postAuthResetPassword: {
        parameters: { header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; }; };
        requestBody: {
            content: {
                "application/json": {
                    email: string;
                    password: string;
                    reset_token?: string;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 404 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["IdentityConfirmation"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["NotFound"];
                };
            };
            404: components["responses"]["Refusal404NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postAuthResetPasswordSendCode: {
        parameters: { header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; }; };
        requestBody?: { content: { "application/json": { email?: string; }; }; };
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["IdentityConfirmation"];
                        statusCode: 200;success: true;
                    };
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postAuthResetPasswordVerifyCode: {
        parameters: { header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; }; };
        requestBody?: {
            content: {
                "application/json": {
                    code?: string;
                    email?: string;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 404 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["IdentityResetToken"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["NotFound"];
                };
            };
            404: components["responses"]["Refusal404NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getAuthSessions: {
        parameters: { header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; }; };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["IdentitySession"][];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"];
                };
            };
            401: components["responses"]["Refusal401Unauthenticated"];
            403: components["responses"]["Refusal403Forbidden"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    deleteAuthSessions: {
        parameters: { header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; }; };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["IdentityEndedSessions"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"];
                };
            };
            401: components["responses"]["Refusal401Unauthenticated"];
            403: components["responses"]["Refusal403Forbidden"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    deleteAuthSessionsId: {
        parameters: {
            header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; };
            path: { id: string; };
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403, 404 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["IdentityConfirmation"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"] | components["schemas"]["NotFound"];
                };
            };
            401: components["responses"]["Refusal401Unauthenticated"];
            403: components["responses"]["Refusal403Forbidden"];
            404: components["responses"]["Refusal404NotFound"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getAuthTokens: {
        parameters: { header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; }; };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["IdentityApiToken"][];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"];
                };
            };
            401: components["responses"]["Refusal401Unauthenticated"];
            403: components["responses"]["Refusal403Forbidden"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postAuthTokens: {
        parameters: { header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; }; };
        requestBody: { content: { "application/json": { name: string; }; }; };
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403, 409 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["IdentityNewApiToken"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"] | components["schemas"]["Conflict"];
                };
            };
            401: components["responses"]["Refusal401Unauthenticated"];
            403: components["responses"]["Refusal403Forbidden"];
            409: components["responses"]["Refusal409Conflict"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    deleteAuthTokensId: {
        parameters: {
            header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; };
            path: { id: string; };
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403, 404 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["IdentityConfirmation"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"] | components["schemas"]["NotFound"];
                };
            };
            401: components["responses"]["Refusal401Unauthenticated"];
            403: components["responses"]["Refusal403Forbidden"];
            404: components["responses"]["Refusal404NotFound"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getBlocks: {
        parameters: {
            query?: {
                before?: number;
                limit?: number;
            };
            header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; };
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["MessagingBlockedUser"][];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"];
                };
            };
            401: components["responses"]["Refusal401Unauthenticated"];
            403: components["responses"]["Refusal403Forbidden"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    putBlocksUserId: {
        parameters: {
            header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; };
            path: { user_id: string; };
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403, 404 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["MessagingConfirmation"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"] | components["schemas"]["NotFound"];
                };
            };
            401: components["responses"]["Refusal401Unauthenticated"];
            403: components["responses"]["Refusal403Forbidden"];
            404: components["responses"]["Refusal404NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    deleteBlocksUserId: {
        parameters: {
            header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; };
            path: { user_id: string; };
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403, 404 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["MessagingConfirmation"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"] | components["schemas"]["NotFound"];
                };
            };
            401: components["responses"]["Refusal401Unauthenticated"];
            403: components["responses"]["Refusal403Forbidden"];
            404: components["responses"]["Refusal404NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getBookings: {
        parameters: {
            query?: {
                before?: number;
                limit?: number;
                state?: "upcoming" | "past";
            };
            header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; };
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["CallsBooking"][];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"];
                };
            };
            401: components["responses"]["Refusal401Unauthenticated"];
            403: components["responses"]["Refusal403Forbidden"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postBookings: {
        parameters: {
            header?: {
                /** @description A key of your own for this one intention, at most 255 characters. For 24 hours a repeat with the same key and body gets the first answer, with the header `Idempotent-Replayed: true`, and nothing happens twice. With another body it is a 422; while the first request still runs it is a 409. */
                "Idempotency-Key"?: string;
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    call_type: "video" | "audio";
                    minutes: number;
                    note?: string;
                    /** Format: date-time */
                    starts_at: string;
                    teacher_id: number;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403, 409 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["CallsBooking"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"] | components["schemas"]["Conflict"];
                };
            };
            401: components["responses"]["Refusal401Unauthenticated"];
            403: components["responses"]["Refusal403Forbidden"];
            409: components["responses"]["Refusal409Conflict"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getBookingsIcs: {
        parameters: { query?: { token?: string; }; };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: { content: { "text/calendar": string; }; };
            404: components["responses"]["Refusal404NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postBookingsIdCancel: {
        parameters: {
            header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; };
            path: { id: string; };
        };
        requestBody?: { content: { "application/json": { reason?: string; }; }; };
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403, 404, 409 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["CallsBooking"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"] | components["schemas"]["NotFound"] | components["schemas"]["Conflict"];
                };
            };
            401: components["responses"]["Refusal401Unauthenticated"];
            403: components["responses"]["Refusal403Forbidden"];
            404: components["responses"]["Refusal404NotFound"];
            409: components["responses"]["Refusal409Conflict"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postBookingsIdConfirm: {
        parameters: {
            header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; };
            path: { id: string; };
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** Format: date-time */
                    starts_at?: string;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403, 404, 409 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["CallsBooking"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"] | components["schemas"]["NotFound"] | components["schemas"]["Conflict"];
                };
            };
            401: components["responses"]["Refusal401Unauthenticated"];
            403: components["responses"]["Refusal403Forbidden"];
            404: components["responses"]["Refusal404NotFound"];
            409: components["responses"]["Refusal409Conflict"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postBookingsIdDecline: {
        parameters: {
            header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; };
            path: { id: string; };
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** Format: date-time */
                    starts_at?: string;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403, 404, 409 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["CallsBooking"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"] | components["schemas"]["NotFound"] | components["schemas"]["Conflict"];
                };
            };
            401: components["responses"]["Refusal401Unauthenticated"];
            403: components["responses"]["Refusal403Forbidden"];
            404: components["responses"]["Refusal404NotFound"];
            409: components["responses"]["Refusal409Conflict"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postBookingsIdReschedule: {
        parameters: {
            header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; };
            path: { id: string; };
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: date-time */
                    starts_at: string;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403, 404, 409 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["CallsBooking"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"] | components["schemas"]["NotFound"] | components["schemas"]["Conflict"];
                };
            };
            401: components["responses"]["Refusal401Unauthenticated"];
            403: components["responses"]["Refusal403Forbidden"];
            404: components["responses"]["Refusal404NotFound"];
            409: components["responses"]["Refusal409Conflict"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getBookingsFeed: {
        parameters: { header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; }; };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403, 404 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["CallsCalendarLink"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"] | components["schemas"]["NotFound"];
                };
            };
            401: components["responses"]["Refusal401Unauthenticated"];
            403: components["responses"]["Refusal403Forbidden"];
            404: components["responses"]["Refusal404NotFound"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postBookingsFeed: {
        parameters: { header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; }; };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403, 404 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["CallsCalendarLink"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"] | components["schemas"]["NotFound"];
                };
            };
            401: components["responses"]["Refusal401Unauthenticated"];
            403: components["responses"]["Refusal403Forbidden"];
            404: components["responses"]["Refusal404NotFound"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postCallAccept: {
        parameters: { header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; }; };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    call_type: "video" | "audio";
                    student_user_id: number;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 402, 403, 404 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["CallsAcceptedCall"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["PaymentRequired"] | components["schemas"]["Forbidden"] | components["schemas"]["NotFound"];
                };
            };
            401: components["responses"]["Refusal401Unauthenticated"];
            402: components["responses"]["Refusal402PaymentRequired"];
            403: components["responses"]["Refusal403Forbidden"];
            404: components["responses"]["Refusal404NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postCallAlive: {
        parameters: { header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; }; };
        requestBody: { content: { "application/json": { identifier: string; }; }; };
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403, 404, 409 */
            200: {
                content: {
                    "application/json": {
                        data: unknown[];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"] | components["schemas"]["NotFound"] | components["schemas"]["Conflict"];
                };
            };
            401: components["responses"]["Refusal401Unauthenticated"];
            403: components["responses"]["Refusal403Forbidden"];
            404: components["responses"]["Refusal404NotFound"];
            409: components["responses"]["Refusal409Conflict"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postCallBill: {
        parameters: { header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; }; };
        requestBody: { content: { "application/json": { identifier: string; }; }; };
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403, 500 */
            200: {
                content: {
                    "application/json": {
                        data: unknown[];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"] | components["schemas"]["NotBilled"];
                };
            };
            401: components["responses"]["Refusal401Unauthenticated"];
            402: components["responses"]["Refusal402NotBilled"];
            403: components["responses"]["Refusal403Forbidden"];
            404: components["responses"]["Refusal404NotBilled"];
            409: components["responses"]["Refusal409NotBilled"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postCallCancel: {
        parameters: { header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; }; };
        requestBody: { content: { "application/json": { teacher_user_id: number; }; }; };
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403, 404 */
            200: {
                content: {
                    "application/json": {
                        data: unknown[];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"] | components["schemas"]["NotFound"];
                };
            };
            401: components["responses"]["Refusal401Unauthenticated"];
            403: components["responses"]["Refusal403Forbidden"];
            404: components["responses"]["Refusal404NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postCallEnd: {
        parameters: { header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; }; };
        requestBody: {
            content: {
                "application/json": {
                    identifier: string;
                    /** Format: uuid */
                    room_uuid: string;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403, 404 */
            200: {
                content: {
                    "application/json": {
                        data: unknown[];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"] | components["schemas"]["NotFound"];
                };
            };
            401: components["responses"]["Refusal401Unauthenticated"];
            403: components["responses"]["Refusal403Forbidden"];
            404: components["responses"]["Refusal404NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postCallInit: {
        parameters: { header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; }; };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    call_type: "video" | "audio";
                    teacher_user_id: number;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 402, 403, 409 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["CallsNewCall"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["PaymentRequired"] | components["schemas"]["Forbidden"] | components["schemas"]["Conflict"];
                };
            };
            401: components["responses"]["Refusal401Unauthenticated"];
            402: components["responses"]["Refusal402PaymentRequired"];
            403: components["responses"]["Refusal403Forbidden"];
            409: components["responses"]["Refusal409Conflict"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postCallReject: {
        parameters: { header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; }; };
        requestBody: { content: { "application/json": { student_user_id: number; }; }; };
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403, 404 */
            200: {
                content: {
                    "application/json": {
                        data: unknown[];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"] | components["schemas"]["NotFound"];
                };
            };
            401: components["responses"]["Refusal401Unauthenticated"];
            403: components["responses"]["Refusal403Forbidden"];
            404: components["responses"]["Refusal404NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postCallToken: {
        parameters: { header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; }; };
        requestBody: { content: { "application/json": { identifier: string; }; }; };
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403, 404, 409 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["CallsCallToken"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"] | components["schemas"]["NotFound"] | components["schemas"]["Conflict"];
                };
            };
            401: components["responses"]["Refusal401Unauthenticated"];
            403: components["responses"]["Refusal403Forbidden"];
            404: components["responses"]["Refusal404NotFound"];
            409: components["responses"]["Refusal409Conflict"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getCalls: {
        parameters: {
            query?: {
                before?: string;
                limit?: number;
            };
            header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; };
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["CallsCall"][];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"];
                };
            };
            401: components["responses"]["Refusal401Unauthenticated"];
            403: components["responses"]["Refusal403Forbidden"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getCallsIdentifier: {
        parameters: {
            header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; };
            path: { identifier: string; };
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403, 404 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["CallsCall"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"] | components["schemas"]["NotFound"];
                };
            };
            401: components["responses"]["Refusal401Unauthenticated"];
            403: components["responses"]["Refusal403Forbidden"];
            404: components["responses"]["Refusal404NotFound"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getCallsIdentifierReceipt: {
        parameters: {
            header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; };
            path: { identifier: string; };
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403, 404 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["CallsReceipt"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"] | components["schemas"]["NotFound"];
                };
            };
            401: components["responses"]["Refusal401Unauthenticated"];
            403: components["responses"]["Refusal403Forbidden"];
            404: components["responses"]["Refusal404NotFound"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postCallsIdentifierReview: {
        parameters: {
            header?: {
                /** @description A key of your own for this one intention, at most 255 characters. For 24 hours a repeat with the same key and body gets the first answer, with the header `Idempotent-Replayed: true`, and nothing happens twice. With another body it is a 422; while the first request still runs it is a 409. */
                "Idempotency-Key"?: string;
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path: { identifier: string; };
        };
        requestBody: {
            content: {
                "application/json": {
                    comment?: string;
                    rating: number;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403, 404, 409 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["CallsReview"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"] | components["schemas"]["NotFound"] | components["schemas"]["Conflict"];
                };
            };
            401: components["responses"]["Refusal401Unauthenticated"];
            403: components["responses"]["Refusal403Forbidden"];
            404: components["responses"]["Refusal404NotFound"];
            409: components["responses"]["Refusal409Conflict"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getCheckoutDepositToken: {
        parameters: {
            path: {
                deposit: string;
                token: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: { content: { "text/html": string; }; };
            /** @description A page with the refusal */
            404: { content: { "text/html": string; }; };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postCheckoutDepositToken: {
        parameters: {
            path: {
                deposit: string;
                token: string;
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    action: "pay" | "fail" | "cancel";
                };
            };
        };
        responses: {
            /** @description Success */
            200: { content: { "text/html": string; }; };
            /** @description A page with the refusal */
            404: { content: { "text/html": string; }; };
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getCheckoutDepositTokenClaims: {
        parameters: {
            path: {
                deposit: string;
                token: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: { content: { "text/html": string; }; };
            /** @description A page with the refusal */
            404: { content: { "text/html": string; }; };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postCheckoutDepositTokenClaims: {
        parameters: {
            path: {
                deposit: string;
                token: string;
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    action: "dispute" | "win" | "lose" | "refund";
                };
            };
        };
        responses: {
            /** @description Success */
            200: { content: { "text/html": string; }; };
            /** @description A page with the refusal */
            404: { content: { "text/html": string; }; };
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getCheckoutReturned: {
        parameters: {
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: { content: { "text/html": string; }; };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getCheckoutStyleCss: {
        parameters: {
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: { content: { "text/css": string; }; };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getDepositRefunds: {
        parameters: {
            query?: {
                before?: number;
                limit?: number;
            };
            header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; };
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["WalletDepositRefund"][];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"];
                };
            };
            401: components["responses"]["Refusal401Unauthenticated"];
            403: components["responses"]["Refusal403Forbidden"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getDepositRefundsId: {
        parameters: {
            header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; };
            path: { id: string; };
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403, 404 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["WalletDepositRefund"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"] | components["schemas"]["NotFound"];
                };
            };
            401: components["responses"]["Refusal401Unauthenticated"];
            403: components["responses"]["Refusal403Forbidden"];
            404: components["responses"]["Refusal404NotFound"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postDepositRefundsIdCancel: {
        parameters: {
            header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; };
            path: { id: string; };
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403, 404, 409 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["WalletDepositRefund"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"] | components["schemas"]["NotFound"] | components["schemas"]["Conflict"];
                };
            };
            401: components["responses"]["Refusal401Unauthenticated"];
            403: components["responses"]["Refusal403Forbidden"];
            404: components["responses"]["Refusal404NotFound"];
            409: components["responses"]["Refusal409Conflict"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getDeposits: {
        parameters: {
            query?: {
                before?: number;
                limit?: number;
            };
            header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; };
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["WalletDeposit"][];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"];
                };
            };
            401: components["responses"]["Refusal401Unauthenticated"];
            403: components["responses"]["Refusal403Forbidden"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postDeposits: {
        parameters: {
            header?: {
                /** @description A key of your own for this one intention, at most 255 characters. For 24 hours a repeat with the same key and body gets the first answer, with the header `Idempotent-Replayed: true`, and nothing happens twice. With another body it is a 422; while the first request still runs it is a 409. */
                "Idempotency-Key"?: string;
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    amount: number;
                    method?: string;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403, 409 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["WalletNewDeposit"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"] | components["schemas"]["Conflict"];
                };
            };
            401: components["responses"]["Refusal401Unauthenticated"];
            403: components["responses"]["Refusal403Forbidden"];
            409: components["responses"]["Refusal409Conflict"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getDepositsId: {
        parameters: {
            header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; };
            path: { id: string; };
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403, 404 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["WalletDeposit"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"] | components["schemas"]["NotFound"];
                };
            };
            401: components["responses"]["Refusal401Unauthenticated"];
            403: components["responses"]["Refusal403Forbidden"];
            404: components["responses"]["Refusal404NotFound"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postDepositsIdRefunds: {
        parameters: {
            header?: {
                /** @description A key of your own for this one intention, at most 255 characters. For 24 hours a repeat with the same key and body gets the first answer, with the header `Idempotent-Replayed: true`, and nothing happens twice. With another body it is a 422; while the first request still runs it is a 409. */
                "Idempotency-Key"?: string;
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path: { id: string; };
        };
        requestBody?: {
            content: {
                "application/json": {
                    amount?: number;
                    reason?: string;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 402, 403, 404, 409 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["WalletDepositRefund"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["PaymentRequired"] | components["schemas"]["Forbidden"] | components["schemas"]["NotFound"] | components["schemas"]["Conflict"];
                };
            };
            401: components["responses"]["Refusal401Unauthenticated"];
            402: components["responses"]["Refusal402PaymentRequired"];
            403: components["responses"]["Refusal403Forbidden"];
            404: components["responses"]["Refusal404NotFound"];
            409: components["responses"]["Refusal409Conflict"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getEvents: {
        parameters: {
            query?: {
                /** @description The same, for clients that cannot set headers; the header wins. */
                lastEventId?: string;
            };
            header?: {
                /** @description The `id` of the last event that was received. */
                "Last-Event-ID"?: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Events, until the client or the server ends the stream */
            200: { content: { "text/event-stream": string; }; };
            401: components["responses"]["Refusal401Unauthenticated"];
            403: components["responses"]["Refusal403SecondFactor"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getFavourites: {
        parameters: {
            query?: {
                before?: number;
                limit?: number;
            };
            header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; };
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["IdentityTeacher"][];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"];
                };
            };
            401: components["responses"]["Refusal401Unauthenticated"];
            403: components["responses"]["Refusal403Forbidden"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    putFavouritesTeacherId: {
        parameters: {
            header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; };
            path: { teacher_id: string; };
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403, 404, 409 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["IdentityTeacher"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"] | components["schemas"]["NotFound"] | components["schemas"]["Conflict"];
                };
            };
            401: components["responses"]["Refusal401Unauthenticated"];
            403: components["responses"]["Refusal403Forbidden"];
            404: components["responses"]["Refusal404NotFound"];
            409: components["responses"]["Refusal409Conflict"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    deleteFavouritesTeacherId: {
        parameters: {
            header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; };
            path: { teacher_id: string; };
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403, 404 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["IdentityConfirmation"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"] | components["schemas"]["NotFound"];
                };
            };
            401: components["responses"]["Refusal401Unauthenticated"];
            403: components["responses"]["Refusal403Forbidden"];
            404: components["responses"]["Refusal404NotFound"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getFilesKey: {
        parameters: { path: { key: string; }; };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: { content: { "application/octet-stream": string; }; };
            /** @description The range that was asked for */
            206: { content: { "application/octet-stream": string; }; };
            /** @description What `If-None-Match` names is still right */
            304: { content?: never; };
            404: components["responses"]["Refusal404NotFound"];
            416: components["responses"]["Refusal416RangeNotSatisfiable"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getMe: {
        parameters: { header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; }; };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403, 404 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["IdentityUser"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"] | components["schemas"]["NotFound"];
                };
            };
            401: components["responses"]["Refusal401Unauthenticated"];
            403: components["responses"]["Refusal403Forbidden"];
            404: components["responses"]["Refusal404NotFound"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    putMe: {
        parameters: { header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; }; };
        requestBody?: {
            content: {
                "application/json": {
                    about_me?: string | null;
                    address?: string | null;
                    availability?: string | null;
                    bio?: string | null;
                    city?: string | null;
                    code?: string;
                    country?: string | null;
                    current_password?: string;
                    domains?: number[];
                    /** Format: email */
                    email?: string;
                    experience?: number;
                    level_study?: string | null;
                    name?: string;
                    old_code?: string;
                    password?: string;
                    phone_number?: string;
                    photo?: string | null;
                    plan?: number;
                    subjects_interest?: string | null;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403, 404 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["IdentityUser"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"] | components["schemas"]["NotFound"];
                };
            };
            401: components["responses"]["Refusal401Unauthenticated"];
            403: components["responses"]["Refusal403Forbidden"];
            404: components["responses"]["Refusal404NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    deleteMe: {
        parameters: { header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; }; };
        requestBody?: {
            content: {
                "application/json": {
                    code?: string;
                    forfeit?: boolean;
                    password?: string;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403, 404, 409 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["IdentityConfirmation"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"] | components["schemas"]["NotFound"] | components["schemas"]["Conflict"];
                };
            };
            401: components["responses"]["Refusal401Unauthenticated"];
            403: components["responses"]["Refusal403Forbidden"];
            404: components["responses"]["Refusal404NotFound"];
            409: components["responses"]["Refusal409Conflict"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getMeAvailability: {
        parameters: { header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; }; };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["CallsAvailability"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"];
                };
            };
            401: components["responses"]["Refusal401Unauthenticated"];
            403: components["responses"]["Refusal403Forbidden"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    putMeAvailability: {
        parameters: { header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; }; };
        requestBody: {
            content: {
                "application/json": {
                    exceptions: components["schemas"]["CallsHoursOfDate"][];
                    min_notice_minutes: number;
                    slot_minutes: number;
                    /** Format: time-zone */
                    time_zone: string;
                    weekly: components["schemas"]["CallsWeeklyHours"][];
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["CallsAvailability"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"];
                };
            };
            401: components["responses"]["Refusal401Unauthenticated"];
            403: components["responses"]["Refusal403Forbidden"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getMeExport: {
        parameters: {
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: { content: { "application/json": components["schemas"]["IdentityOwnData"]; }; };
            401: components["responses"]["Refusal401Unauthenticated"];
            403: components["responses"]["Refusal403Forbidden"];
            404: components["responses"]["Refusal404NotFound"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postMePhoto: {
        parameters: { header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; }; };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /** Format: binary */
                    file: string;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403, 404 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["IdentityUser"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"] | components["schemas"]["NotFound"];
                };
            };
            401: components["responses"]["Refusal401Unauthenticated"];
            403: components["responses"]["Refusal403Forbidden"];
            404: components["responses"]["Refusal404NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    deleteMePhoto: {
        parameters: { header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; }; };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403, 404 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["IdentityPhotoRemoval"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"] | components["schemas"]["NotFound"];
                };
            };
            401: components["responses"]["Refusal401Unauthenticated"];
            403: components["responses"]["Refusal403Forbidden"];
            404: components["responses"]["Refusal404NotFound"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postPaymentsall: {
        parameters: { header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; }; };
        requestBody?: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    direction?: "in" | "out";
                    filter_value?: string;
                    /** Format: date */
                    from?: string;
                    /**
                     * @description `asc`: oldest first.
                     * @enum {string}
                     */
                    order?: "asc" | "desc";
                    page?: number;
                    pageItems?: number;
                    /** @enum {string} */
                    status?: "initiated" | "pending" | "success" | "failed" | "canceled";
                    /** Format: date */
                    to?: string;
                    /** @enum {string} */
                    type?: "deposit" | "withdrawal" | "call" | "refund";
                    user_id?: number;
                    with_source?: boolean;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["WalletListedPaymentPage"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["EnvelopedUnauthenticated"] | components["schemas"]["SecondFactor"];
                };
            };
            401: components["responses"]["Refusal401EnvelopedUnauthenticated"];
            403: components["responses"]["Refusal403SecondFactor"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getPayoutAccounts: {
        parameters: { header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; }; };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["WalletPayoutAccount"][];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"];
                };
            };
            401: components["responses"]["Refusal401Unauthenticated"];
            403: components["responses"]["Refusal403Forbidden"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postPayoutAccounts: {
        parameters: {
            header?: {
                /** @description A key of your own for this one intention, at most 255 characters. For 24 hours a repeat with the same key and body gets the first answer, with the header `Idempotent-Replayed: true`, and nothing happens twice. With another body it is a 422; while the first request still runs it is a 409. */
                "Idempotency-Key"?: string;
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    account: string;
                    code?: string;
                    current_password?: string;
                    holder_name: string;
                    method: string;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403, 404, 409 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["WalletPayoutAccount"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"] | components["schemas"]["NotFound"] | components["schemas"]["Conflict"];
                };
            };
            401: components["responses"]["Refusal401Unauthenticated"];
            403: components["responses"]["Refusal403Forbidden"];
            404: components["responses"]["Refusal404NotFound"];
            409: components["responses"]["Refusal409Conflict"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    deletePayoutAccountsId: {
        parameters: {
            header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; };
            path: { id: string; };
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403, 404, 409 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["WalletConfirmation"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"] | components["schemas"]["NotFound"] | components["schemas"]["Conflict"];
                };
            };
            401: components["responses"]["Refusal401Unauthenticated"];
            403: components["responses"]["Refusal403Forbidden"];
            404: components["responses"]["Refusal404NotFound"];
            409: components["responses"]["Refusal409Conflict"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getPayoutMethods: {
        parameters: { header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; }; };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["WalletPayoutMethod"][];
                        statusCode: 200;success: true;
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getPhotosKey: {
        parameters: { path: { key: string; }; };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: { content: { "image/jpeg": string; }; };
            /** @description The range that was asked for */
            206: { content: { "image/jpeg": string; }; };
            /** @description What `If-None-Match` names is still right */
            304: { content?: never; };
            404: components["responses"]["Refusal404NotFound"];
            416: components["responses"]["Refusal416RangeNotSatisfiable"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getPlans: {
        parameters: { header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; }; };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["IdentityPlan"][];
                        statusCode: 200;success: true;
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postReports: {
        parameters: {
            header?: {
                /** @description A key of your own for this one intention, at most 255 characters. For 24 hours a repeat with the same key and body gets the first answer, with the header `Idempotent-Replayed: true`, and nothing happens twice. With another body it is a 422; while the first request still runs it is a 409. */
                "Idempotency-Key"?: string;
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    details?: string;
                    /** Format: uuid */
                    identifier?: string;
                    /** @enum {string} */
                    reason: "spam" | "abuse" | "fraud" | "other";
                    /** Format: uuid */
                    room_uuid?: string;
                    user_id: number;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403, 409 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["MessagingReport"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"] | components["schemas"]["Conflict"];
                };
            };
            401: components["responses"]["Refusal401Unauthenticated"];
            403: components["responses"]["Refusal403Forbidden"];
            409: components["responses"]["Refusal409Conflict"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    putReviewsId: {
        parameters: {
            header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; };
            path: { id: string; };
        };
        requestBody: {
            content: {
                "application/json": {
                    comment?: string;
                    rating: number;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403, 404, 409 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["CallsReview"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"] | components["schemas"]["NotFound"] | components["schemas"]["Conflict"];
                };
            };
            401: components["responses"]["Refusal401Unauthenticated"];
            403: components["responses"]["Refusal403Forbidden"];
            404: components["responses"]["Refusal404NotFound"];
            409: components["responses"]["Refusal409Conflict"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    putReviewsIdReply: {
        parameters: {
            header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; };
            path: { id: string; };
        };
        requestBody: { content: { "application/json": { reply: string | null; }; }; };
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403, 404 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["CallsReview"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"] | components["schemas"]["NotFound"];
                };
            };
            401: components["responses"]["Refusal401Unauthenticated"];
            403: components["responses"]["Refusal403Forbidden"];
            404: components["responses"]["Refusal404NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getRooms: {
        parameters: {
            query?: {
                before?: string;
                limit?: number;
            };
            header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; };
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["MessagingRoom"][];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"];
                };
            };
            401: components["responses"]["Refusal401Unauthenticated"];
            403: components["responses"]["Refusal403Forbidden"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postRooms: {
        parameters: { header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; }; };
        requestBody: { content: { "application/json": { teacher_id: number; }; }; };
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["MessagingRoom"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"];
                };
            };
            401: components["responses"]["Refusal401Unauthenticated"];
            403: components["responses"]["Refusal403Forbidden"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getRoomsUuid: {
        parameters: {
            query?: {
                /** @description Only messages newer than this id, the oldest of them first. */
                after?: number;
                /** @description Only messages older than this id. */
                before?: number;
                limit?: number;
            };
            header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; };
            path: { uuid: string; };
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403, 404 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["MessagingMessageWithSender"][];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"] | components["schemas"]["NotFound"];
                };
            };
            401: components["responses"]["Refusal401Unauthenticated"];
            403: components["responses"]["Refusal403Forbidden"];
            404: components["responses"]["Refusal404NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postRoomsUuidFiles: {
        parameters: {
            header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; };
            path: { uuid: string; };
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /** Format: binary */
                    file: string;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403, 404, 409 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["MessagingFile"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"] | components["schemas"]["NotFound"] | components["schemas"]["Conflict"];
                };
            };
            401: components["responses"]["Refusal401Unauthenticated"];
            403: components["responses"]["Refusal403Forbidden"];
            404: components["responses"]["Refusal404NotFound"];
            409: components["responses"]["Refusal409Conflict"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getRoomsUuidMessages: {
        parameters: {
            query?: {
                /** @description Only messages newer than this id, the oldest of them first. */
                after?: number;
                /** @description Only messages older than this id. */
                before?: number;
                limit?: number;
            };
            header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; };
            path: { uuid: string; };
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403, 404 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["MessagingMessage"][];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"] | components["schemas"]["NotFound"];
                };
            };
            401: components["responses"]["Refusal401Unauthenticated"];
            403: components["responses"]["Refusal403Forbidden"];
            404: components["responses"]["Refusal404NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postRoomsUuidMessages: {
        parameters: {
            header?: {
                /** @description A key of your own for this one intention, at most 255 characters. For 24 hours a repeat with the same key and body gets the first answer, with the header `Idempotent-Replayed: true`, and nothing happens twice. With another body it is a 422; while the first request still runs it is a 409. */
                "Idempotency-Key"?: string;
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path: { uuid: string; };
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The app's own id of this message. A repeat with the same id returns the first message and sends nothing. */
                    client_message_id?: string;
                    message?: string;
                    message_link?: string;
                    /**
                     * @default message
                     * @enum {string}
                     */
                    type?: "message" | "image" | "audio" | "video" | "file";
                } & ({
                    message: string;
                } | {
                    message_link: string;
                });
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403, 404, 409 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["MessagingMessage"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"] | components["schemas"]["NotFound"] | components["schemas"]["Conflict"];
                };
            };
            401: components["responses"]["Refusal401Unauthenticated"];
            403: components["responses"]["Refusal403Forbidden"];
            404: components["responses"]["Refusal404NotFound"];
            409: components["responses"]["Refusal409Conflict"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postRoomsUuidRead: {
        parameters: {
            header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; };
            path: { uuid: string; };
        };
        requestBody?: { content: { "application/json": { up_to?: number; }; }; };
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403, 404 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["MessagingOwnReadMark"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"] | components["schemas"]["NotFound"];
                };
            };
            401: components["responses"]["Refusal401Unauthenticated"];
            403: components["responses"]["Refusal403Forbidden"];
            404: components["responses"]["Refusal404NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getRoomsUnread: {
        parameters: { header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; }; };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["MessagingUnreadRooms"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"];
                };
            };
            401: components["responses"]["Refusal401Unauthenticated"];
            403: components["responses"]["Refusal403Forbidden"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getServices: {
        parameters: { header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; }; };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["CallsService"][];
                        statusCode: 200;success: true;
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getSkills: {
        parameters: { header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; }; };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["IdentitySkill"][];
                        statusCode: 200;success: true;
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postSupportFiles: {
        parameters: { header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; }; };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /** Format: binary */
                    file: string;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["MessagingFile"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"];
                };
            };
            401: components["responses"]["Refusal401Unauthenticated"];
            403: components["responses"]["Refusal403Forbidden"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getSupportMessages: {
        parameters: {
            query?: {
                /** @description Only messages newer than this id, the oldest of them first. */
                after?: number;
                /** @description Only messages older than this id. */
                before?: number;
                limit?: number;
            };
            header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; };
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["MessagingMessage"][];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"];
                };
            };
            401: components["responses"]["Refusal401Unauthenticated"];
            403: components["responses"]["Refusal403Forbidden"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postSupportMessages: {
        parameters: {
            header?: {
                /** @description A key of your own for this one intention, at most 255 characters. For 24 hours a repeat with the same key and body gets the first answer, with the header `Idempotent-Replayed: true`, and nothing happens twice. With another body it is a 422; while the first request still runs it is a 409. */
                "Idempotency-Key"?: string;
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The app's own id of this message. A repeat with the same id returns the first message and sends nothing. */
                    client_message_id?: string;
                    message?: string;
                    message_link?: string;
                    /**
                     * @default message
                     * @enum {string}
                     */
                    type?: "message" | "image" | "audio" | "video" | "file";
                } & ({
                    message: string;
                } | {
                    message_link: string;
                });
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403, 409 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["MessagingMessage"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"] | components["schemas"]["Conflict"];
                };
            };
            401: components["responses"]["Refusal401Unauthenticated"];
            403: components["responses"]["Refusal403Forbidden"];
            409: components["responses"]["Refusal409Conflict"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postSupportRating: {
        parameters: { header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; }; };
        requestBody: {
            content: {
                "application/json": {
                    comment?: string;
                    score: number;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403, 409 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["MessagingConfirmation"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"] | components["schemas"]["Conflict"];
                };
            };
            401: components["responses"]["Refusal401Unauthenticated"];
            403: components["responses"]["Refusal403Forbidden"];
            409: components["responses"]["Refusal409Conflict"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getTeachers: {
        parameters: {
            query?: {
                min_rating?: string;
                online?: boolean;
                page?: number;
                pageItems?: number;
                plan_id?: number;
                q?: string;
                skill_id?: number;
                sort?: "newest" | "rating" | "price";
            };
            header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; };
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["IdentityTeacherPage"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"];
                };
            };
            401: components["responses"]["Refusal401Unauthenticated"];
            403: components["responses"]["Refusal403Forbidden"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getTeachersId: {
        parameters: {
            header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; };
            path: { id: string; };
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403, 404 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["IdentityTeacher"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"] | components["schemas"]["NotFound"];
                };
            };
            401: components["responses"]["Refusal401Unauthenticated"];
            403: components["responses"]["Refusal403Forbidden"];
            404: components["responses"]["Refusal404NotFound"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getTeachersIdReviews: {
        parameters: {
            query?: {
                /** @description `asc`: oldest first. */
                order?: "asc" | "desc";
                page?: number;
                pageItems?: number;
            };
            header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; };
            path: { id: string; };
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403, 404 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["CallsPublicReviewPage"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"] | components["schemas"]["NotFound"];
                };
            };
            401: components["responses"]["Refusal401Unauthenticated"];
            403: components["responses"]["Refusal403Forbidden"];
            404: components["responses"]["Refusal404NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getTeachersIdSlots: {
        parameters: {
            query: {
                from: string;
                to: string;
            };
            header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; };
            path: { id: string; };
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403, 404 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["CallsSlot"][];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"] | components["schemas"]["NotFound"];
                };
            };
            401: components["responses"]["Refusal401Unauthenticated"];
            403: components["responses"]["Refusal403Forbidden"];
            404: components["responses"]["Refusal404NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getWallet: {
        parameters: { header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; }; };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["Wallet"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"];
                };
            };
            401: components["responses"]["Refusal401Unauthenticated"];
            403: components["responses"]["Refusal403Forbidden"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getWalletDebts: {
        parameters: { header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; }; };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["WalletDebt"][];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"];
                };
            };
            401: components["responses"]["Refusal401Unauthenticated"];
            403: components["responses"]["Refusal403Forbidden"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getWalletTransactions: {
        parameters: {
            query?: {
                before?: number;
                limit?: number;
            };
            header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; };
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["WalletTransaction"][];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"];
                };
            };
            401: components["responses"]["Refusal401Unauthenticated"];
            403: components["responses"]["Refusal403Forbidden"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getWalletTransactionsCsv: {
        parameters: {
            query?: {
                from?: string;
                separator?: "," | ";" | "tab";
                to?: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: { content: { "text/csv": string; }; };
            401: components["responses"]["Refusal401Unauthenticated"];
            403: components["responses"]["Refusal403Forbidden"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postWebhooksPaymentsProvider: {
        parameters: { path: { provider: string; }; };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: { content: { "application/json": components["schemas"]["WalletWebhookReceipt"]; }; };
            400: components["responses"]["Refusal400Malformed"];
            404: components["responses"]["Refusal404NotFound"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getWithdrawals: {
        parameters: {
            query?: {
                before?: number;
                limit?: number;
            };
            header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; };
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["WalletWithdrawal"][];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"];
                };
            };
            401: components["responses"]["Refusal401Unauthenticated"];
            403: components["responses"]["Refusal403Forbidden"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postWithdrawals: {
        parameters: {
            header?: {
                /** @description A key of your own for this one intention, at most 255 characters. For 24 hours a repeat with the same key and body gets the first answer, with the header `Idempotent-Replayed: true`, and nothing happens twice. With another body it is a 422; while the first request still runs it is a 409. */
                "Idempotency-Key"?: string;
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    account?: string;
                    amount: number;
                    method?: string;
                    payout_account_id?: number;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 402, 403, 409 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["WalletWithdrawal"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["PaymentRequired"] | components["schemas"]["Forbidden"] | components["schemas"]["Conflict"];
                };
            };
            401: components["responses"]["Refusal401Unauthenticated"];
            402: components["responses"]["Refusal402PaymentRequired"];
            403: components["responses"]["Refusal403Forbidden"];
            409: components["responses"]["Refusal409Conflict"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getWithdrawalsId: {
        parameters: {
            header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; };
            path: { id: string; };
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403, 404 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["WalletWithdrawal"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"] | components["schemas"]["NotFound"];
                };
            };
            401: components["responses"]["Refusal401Unauthenticated"];
            403: components["responses"]["Refusal403Forbidden"];
            404: components["responses"]["Refusal404NotFound"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postWithdrawalsIdCancel: {
        parameters: {
            header?: { "X-Envelope"?: components["parameters"]["XEnvelope"]; };
            path: { id: string; };
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403, 404, 409 */
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["WalletWithdrawal"];
                        statusCode: 200;success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"] | components["schemas"]["NotFound"] | components["schemas"]["Conflict"];
                };
            };
            401: components["responses"]["Refusal401Unauthenticated"];
            403: components["responses"]["Refusal403Forbidden"];
            404: components["responses"]["Refusal404NotFound"];
            409: components["responses"]["Refusal409Conflict"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    onBookingCanceled: {
        requestBody: { content: { "application/json": components["schemas"]["CallsCanceledBooking"]; }; };
        responses: { 200: { content?: never; }; };
    };
    onBookingConfirmed: {
        requestBody: { content: { "application/json": components["schemas"]["CallsBooking"]; }; };
        responses: { 200: { content?: never; }; };
    };
    onBookingDeclined: {
        requestBody: { content: { "application/json": components["schemas"]["CallsBooking"]; }; };
        responses: { 200: { content?: never; }; };
    };
    onBookingReminder: {
        requestBody: { content: { "application/json": components["schemas"]["CallsBooking"]; }; };
        responses: { 200: { content?: never; }; };
    };
    onBookingRequested: {
        requestBody: { content: { "application/json": components["schemas"]["CallsBooking"]; }; };
        responses: { 200: { content?: never; }; };
    };
    onBookingRescheduled: {
        requestBody: { content: { "application/json": components["schemas"]["CallsBooking"]; }; };
        responses: { 200: { content?: never; }; };
    };
    onCallAccepted: {
        requestBody: { content: { "application/json": components["schemas"]["CallsCallAccepted"]; }; };
        responses: { 200: { content?: never; }; };
    };
    onCallCanceled: {
        requestBody: { content: { "application/json": components["schemas"]["CallsUnansweredCall"]; }; };
        responses: { 200: { content?: never; }; };
    };
    onCallEnded: {
        requestBody: { content: { "application/json": components["schemas"]["CallsCallEnded"]; }; };
        responses: { 200: { content?: never; }; };
    };
    onCallLowBalance: {
        requestBody: { content: { "application/json": components["schemas"]["CallsLowBalance"]; }; };
        responses: { 200: { content?: never; }; };
    };
    onCallMetered: {
        requestBody: { content: { "application/json": components["schemas"]["CallsMeteredCall"]; }; };
        responses: { 200: { content?: never; }; };
    };
    onCallMissed: {
        requestBody: { content: { "application/json": components["schemas"]["CallsUnansweredCall"]; }; };
        responses: { 200: { content?: never; }; };
    };
    onCallRejected: {
        requestBody: { content: { "application/json": components["schemas"]["CallsUnansweredCall"]; }; };
        responses: { 200: { content?: never; }; };
    };
    onCallRinging: {
        requestBody: { content: { "application/json": components["schemas"]["CallsRingingCall"]; }; };
        responses: { 200: { content?: never; }; };
    };
    onCallSettled: {
        requestBody: { content: { "application/json": components["schemas"]["CallsSettledCall"]; }; };
        responses: { 200: { content?: never; }; };
    };
    onDeskCase: {
        requestBody: { content: { "application/json": components["schemas"]["MessagingSupportCase"]; }; };
        responses: { 200: { content?: never; }; };
    };
    onDeskPresence: {
        requestBody: { content: { "application/json": components["schemas"]["MessagingDeskPresence"]; }; };
        responses: { 200: { content?: never; }; };
    };
    onMessageCreated: {
        requestBody: { content: { "application/json": components["schemas"]["MessagingMessage"]; }; };
        responses: { 200: { content?: never; }; };
    };
    onMessageRead: {
        requestBody: { content: { "application/json": components["schemas"]["MessagingMessagesRead"]; }; };
        responses: { 200: { content?: never; }; };
    };
    onPayoutBatch: {
        requestBody: { content: { "application/json": components["schemas"]["WalletPayoutBatch"]; }; };
        responses: { 200: { content?: never; }; };
    };
    onReportCreated: {
        requestBody: { content: { "application/json": components["schemas"]["MessagingAdminReport"]; }; };
        responses: { 200: { content?: never; }; };
    };
    onResync: {
        requestBody: { content: { "application/json": { message: "Fetch again."; }; }; };
        responses: { 200: { content?: never; }; };
    };
    onRoomCreated: {
        requestBody: { content: { "application/json": components["schemas"]["MessagingRoom"]; }; };
        responses: { 200: { content?: never; }; };
    };
    onRoomRead: {
        requestBody: { content: { "application/json": components["schemas"]["MessagingRoomRead"]; }; };
        responses: { 200: { content?: never; }; };
    };
    onSupportMessage: {
        requestBody: { content: { "application/json": components["schemas"]["MessagingMessage"]; }; };
        responses: { 200: { content?: never; }; };
    };
    onSupportResolved: {
        requestBody: { content: { "application/json": components["schemas"]["MessagingSupportResolved"]; }; };
        responses: { 200: { content?: never; }; };
    };
    onWalletBalance: {
        requestBody: { content: { "application/json": components["schemas"]["WalletBalance"]; }; };
        responses: { 200: { content?: never; }; };
    };
}
/** Paths whose POST takes an `Idempotency-Key`. */
export const idempotentPaths: (keyof paths)[] = [
    "/api/admin/calls/{identifier}/refund",
    "/api/admin/desk/cases",
    "/api/admin/desk/cases/{id}/notes",
    "/api/admin/desk/replies",
    "/api/admin/invitations",
    "/api/admin/payout-batches",
    "/api/admin/rooms/{uuid}/messages",
    "/api/bookings",
    "/api/calls/{identifier}/review",
    "/api/deposits",
    "/api/deposits/{id}/refunds",
    "/api/payout-accounts",
    "/api/reports",
    "/api/rooms/{uuid}/messages",
    "/api/support/messages",
    "/api/withdrawals"
];
