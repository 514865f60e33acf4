// Generated from the gateway's OpenAPI document by `npm run generate -w shared/client`; do not edit.

export interface paths {
    "/api/admin/admins": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Administrators
         * @description For administrators. All administrators, including inactive ones.
         */
        get: operations["getAdminAdmins"];
        put?: never;
        /**
         * Create an administrator
         * @description For super administrators. The new administrator has the level `default` and can log in immediately. `statusCode` is 201 and `data` a sentence. 422 for an e-mail in use, and for a password that is among the most common or contains the name or the name part of the e-mail.
         */
        post: operations["postAdminAdmins"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/admins/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
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
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/admins/access": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Access of administrators
         * @description For super administrators. Per administrator, in the order of the ids: the time of the last recorded login or null, whether two-factor authentication is on, and the number of live sessions.
         */
        get: operations["getAdminAdminsAccess"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/auditall": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Audit log of all services
         * @description For super administrators. Paged, newest first: each change by an administrator with the values before and after it. `filter_value` searches the whole entry and the person that it is about; `action` and `subject` take an exact value (`user.updated`, `user:12`) or a kind (`user`); `from` and `to` are days, both included.
         */
        post: operations["postAdminAuditall"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/auth/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Log in as an administrator
         * @description Public. Returns a token that expires after 12 hours without use. Every refusal is the same 404; many failures lock the account for a while, with the same answer. With two-factor authentication the right password also needs a `code`: six digits of the app, of the current or an adjacent step of 30 seconds, or a recovery code. A missing code is a 403 "A code is required."; a wrong or used code is a 403 "The code is invalid.", which counts as a failure.
         */
        post: operations["postAdminAuthLogin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/auth/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End the token in use
         * @description For administrators. The token ends everywhere within a second.
         */
        post: operations["postAdminAuthLogout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/auth/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
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
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/auth/reset-password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set an administrator's new password
         * @description Public. Needs the code that was sent; a wrong, expired or unknown code is a 404, and after five wrong tries from one network every code for the address is refused there for a while. Ends all tokens of the administrator, who is notified; two-factor authentication stays on. 422 for a password that is among the most common or contains the name or the name part of the e-mail.
         */
        post: operations["postAdminAuthResetPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/auth/reset-password-send-code": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send an administrator a code to reset the password
         * @description Public. Sends a six-digit code to the e-mail address of an active administrator; it is valid for ten minutes. The answer is always the same. At most one code a minute is sent, within the budgets of the address and of the client's network.
         */
        post: operations["postAdminAuthResetPasswordSendCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/auth/totp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
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
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/bookingsall": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * List all lessons, newest first
         * @description For administrators. Paged. `user_id` finds the lessons of a student or teacher, `filter_value` the lessons of people with a similar name, e-mail or phone number, or with that id; `from` and `to` limit the UTC day of the request, `starts_from` and `starts_to` that of the start.
         */
        post: operations["postAdminBookingsall"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/calls/{identifier}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show a call with its charges, refunds and timeline
         * @description For administrators. Charges and refunds come from the ledger; `billed` in the timeline is a charge. 503 while payments are unavailable.
         */
        get: operations["getAdminCallsIdentifier"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/calls/{identifier}/refund": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Refund a call to its student, wholly or in part
         * @description For super administrators. Teacher and platform pay the refund pro rata. Without `amount` the whole rest is refunded; more than the rest is a 422. 409 if the teacher's money is no longer available. The audit log stores `reason` with the refunded amount. Returns the student's payment. Send an `Idempotency-Key`, so that a retry does not refund twice.
         */
        post: operations["postAdminCallsIdentifierRefund"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/callsall": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * List all calls, newest first
         * @description For administrators. Paged. `user_id` finds the calls of a student or teacher, `filter_value` the call with that `identifier` and the calls of people with a similar name, e-mail or phone number; `from` and `to` limit the UTC day on which the call rang.
         */
        post: operations["postAdminCallsall"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/deposits/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One deposit
         * @description For administrators. One deposit with its user, by id.
         */
        get: operations["getAdminDepositsId"];
        /**
         * Decide on a deposit
         * @description For super administrators. A move into `success` credits the user; a move out of it takes the money back, or is a 409 if the user no longer has it. Repeating the current status changes nothing. Send `expected_status`, the status that you saw, so that two administrators cannot both decide: 409 if the status has changed.
         */
        put: operations["putAdminDepositsId"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/depositsall": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deposits, newest first
         * @description For administrators. Paged. `filter_value` searches reference, details, method and the user; a record with exactly that id comes first. `from` and `to` are days, both included. An unknown `user_id` is a 422.
         */
        post: operations["postAdminDepositsall"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/plans": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add a plan
         * @description For super administrators. A name in use is a 422.
         */
        post: operations["postAdminPlans"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/plans/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change a plan
         * @description For super administrators. Only the fields that are sent change. A name in use is a 422.
         */
        put: operations["putAdminPlansId"];
        post?: never;
        /**
         * Delete an unused plan
         * @description For super administrators. 409 while a teacher has it.
         */
        delete: operations["deleteAdminPlansId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/reports/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A report
         * @description For administrators. One report, by id.
         */
        get: operations["getAdminReportsId"];
        /**
         * Decide about a report
         * @description For administrators. Sets the status, and the note if one is given; the reporter is not notified. A repeat changes nothing.
         */
        put: operations["putAdminReportsId"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/reportsall": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reports, newest first
         * @description For administrators. Paged. `user_id` is the reported user; an unknown one is a 422. `filter_value` searches details, note and both people, or is an exact id; `from` and `to` are days, both included.
         */
        post: operations["postAdminReportsall"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/reviews/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Hide or show a review
         * @description For administrators. A hidden review counts neither in the mean nor in the number, but is still the only review of its call. `reason` is kept in the audit log.
         */
        put: operations["putAdminReviewsId"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/reviewsall": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * List all reviews, newest first
         * @description For administrators. Paged. `user_id` finds the reviews by a student or of a teacher, `filter_value` reviews with a similar comment, reply or `identifier`, of people with a similar name, e-mail or phone number, or with that id.
         */
        post: operations["postAdminReviewsall"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/rooms": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Support rooms, latest activity first
         * @description For administrators. The newest 1,000; for older ones, pass the uuid of the last one as `before`. Each with its user and last message. `user_id`: only this user's room. `unanswered`: only rooms whose last message is the user's, without those of deleted accounts.
         */
        get: operations["getAdminRooms"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/rooms/{uuid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A support room with its messages
         * @description For administrators. Chronological: the newest 500, or the window that the cursors ask for. Fetching marks the user's messages read, for all administrators.
         */
        get: operations["getAdminRoomsUuid"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/rooms/{uuid}/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Upload a file for a user
         * @description For administrators, for a support room; 409 when the account is deleted. A form with the field `file`. Its limit in MiB is the setting `file_max_mb` (413 above it). The bytes decide about the type: an image (HEIC, too) is turned upright, loses its metadata and is made smaller when it is very large; an image that cannot be shown is a `file`, a recording without video is `audio`. To share the file, send a message with its `url` as `message_link`. A file that no message uses within 24 hours is deleted. 429 beyond 200 files or 500 MiB a day.
         */
        post: operations["postAdminRoomsUuidFiles"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/rooms/{uuid}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reply to a user
         * @description For administrators. Requires `message`, or a `message_link` to a file. The user receives `support.message` and gets a push. 409 when the account is deleted. A repeat with the same `client_message_id` or `Idempotency-Key` sends nothing twice.
         */
        post: operations["postAdminRoomsUuidMessages"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/services": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add a call service
         * @description For super administrators. `iterator` is 2 to 3600 seconds, costs are 0 or more. A name that is in use is a 422.
         */
        post: operations["postAdminServices"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/services/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change a call service
         * @description For super administrators. Only the fields in the request change; accepted calls keep their prices. `VIDEO` and `AUDIO` cannot be renamed (409).
         */
        put: operations["putAdminServicesId"];
        post?: never;
        /**
         * Delete a call service that no call has used
         * @description For super administrators. 409 for `VIDEO`, `AUDIO` and any service that a call has used.
         */
        delete: operations["deleteAdminServicesId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/settings/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
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
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/settingsall": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Settings
         * @description For administrators. Paged: values that can be changed at run time, each with a description.
         */
        post: operations["postAdminSettingsall"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/skills": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add a skill
         * @description For super administrators. A name in use is a 422.
         */
        post: operations["postAdminSkills"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/skills/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Rename a skill
         * @description For super administrators. Profiles with the skill show the new name shortly after. A name in use is a 422.
         */
        put: operations["putAdminSkillsId"];
        post?: never;
        /**
         * Delete an unused skill
         * @description For super administrators. 409 while a student or teacher has it.
         */
        delete: operations["deleteAdminSkillsId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Statistics
         * @description For administrators. Figures of users, money, calls and messages, at most five seconds old; a service that is down contributes its last known figures.
         */
        get: operations["getAdminStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/stats/daily": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Daily statistics
         * @description For administrators. One row per UTC day from `from` to `to`, oldest first, at most 366. Money counts on the day of its movement, a call on the day of its acceptance, a booking or review on the day of its creation. 503 while a service is down.
         */
        get: operations["getAdminStatsDaily"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/users/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A student or teacher
         * @description For administrators. The user's own view of the profile, and `banned`: by whom, when and why, else null.
         */
        get: operations["getAdminUsersId"];
        /**
         * Ban, readmit or verify
         * @description For administrators. A ban ends every session within a second, and the live call; `status` `active` also ends a lock-out. `verified` is for teachers only (422). Only the fields that are sent change. `reason` is stored in the audit log with the change; the reason of a ban is also shown in `banned`.
         */
        put: operations["putAdminUsersId"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/users/{id}/wallet": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A student's or teacher's balance
         * @description For administrators. The same as the owner sees: `held` is reserved for a call or a withdrawal.
         */
        get: operations["getAdminUsersIdWallet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/usersall": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Find students and teachers
         * @description For administrators. Paged, newest first. `filter_value` searches name, e-mail and phone number; if it is the id of a user, that user comes first. `from` and `to` are days of registration, both included.
         */
        post: operations["postAdminUsersall"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/withdrawals/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One withdrawal
         * @description For administrators. One withdrawal with its user, by id.
         */
        get: operations["getAdminWithdrawalsId"];
        /**
         * Decide on a withdrawal
         * @description For administrators. `pending` claims the withdrawal, `success` pays out the held amount, `failed` and `canceled` release it; only a super administrator may move it out of `success`. 409 if the move needs money that is not available. Repeating the current status changes nothing. Send `expected_status`, the status that you saw, so that two administrators cannot both decide: 409 if the status has changed.
         */
        put: operations["putAdminWithdrawalsId"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/withdrawalsall": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Withdrawals, newest first
         * @description For administrators. Paged. `filter_value` searches reference, details, method and the user; a record with exactly that id comes first. `from` and `to` are days, both included. An unknown `user_id` is a 422. `filter_value` also searches the payout account, without blanks and punctuation. `claimed_by` is the administrator who last moved it to `pending`; `decided_by` is the one who last moved it to `success`, `failed` or `canceled`, and is null while it is open or if its owner canceled it.
         */
        post: operations["postAdminWithdrawalsall"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/assets/avatar.png": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The default photo
         * @description Public. The photo of users who have not set one. An image, without the envelope.
         */
        get: operations["getAssetsAvatarPng"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/device": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set the device key for push
         * @description For students and teachers. Sets the device key of the session in use and removes it from every other session of any user; `""` removes it. The field is required. Returns the session; 404 with an API token.
         */
        put: operations["putAuthDevice"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/getToken": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create another token for a device
         * @description For students and teachers. `email` and `password` must be the caller's own, else 404. Returns a new token with the device's key for push (`device_key`, or its aliases `device_token` and `fcm_token`). The current token stays valid.
         */
        post: operations["postAuthGetToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Log in by password, phone code or social token
         * @description Public. `email` and `password` (`gauth_type` `email` or none) log in to any account with that proven e-mail and a password, however it was registered. With `gauth_type` `phone_number` the `password` is the code from `auth/login/send-code`; `google`, `apple` and `facebook` need a valid `gauth_token`: an ID token of Google or Apple, an access token of Facebook or its signed token of Limited Login. A token can be used repeatedly until it expires. A `nonce` must equal the token's nonce, which may be the SHA-256 of it in hex. 503 while the provider cannot be reached. `device_key` is the address for push, `device_name` the name in the list of sessions. Every refusal is the same 404, so that it does not reveal which accounts exist; many failures lock the account for a while, with the same answer. A user has at most 20 sessions: a new one ends the one unused for longest.
         */
        post: operations["postAuthLogin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/login/send-code": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a login code to a phone
         * @description Public. Sends a six-digit code by SMS to an account that logs in by phone; it is valid for ten minutes. The answer is always the same. At most one code a minute is sent, within the budgets of the number and of the client's network, and only to the configured countries.
         */
        post: operations["postAuthLoginSendCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End the token in use
         * @description For students and teachers. The token ends everywhere within a second, with its streams of live events and its push messages. The user's other tokens stay valid.
         */
        post: operations["postAuthLogout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/register": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Register a student or a teacher
         * @description Public. Stores the submission and sends a six-digit code that is valid for ten minutes: by e-mail, or with `gauth_type` `phone_number` by SMS only. The e-mail is then unproven: it is not shown to other users and gets no reset code until `PUT me` proves it; the number must be valid and able to receive SMS (422). A social `gauth_type` needs a `gauth_token` for the same e-mail and creates the account immediately. `password` is required unless the type is social or `phone_number`; 422 for a password that is among the most common or contains the name or the name part of the e-mail. Registering an unverified address again replaces the submission, at most five times in ten minutes (429); if the passwords differ, none is set, and the owner chooses one by a reset. A verified address is a 422.
         */
        post: operations["postAuthRegister"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/register/send-code": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send the code of a registration again
         * @description Public. Sends a new code for the newest unverified registration of the e-mail, by the same channel as before; a registration by e-mail takes precedence over one by phone. The previous code is no longer valid. The answer is always the same. At most five codes are sent in ten minutes, including those of `register`, within the budgets of the address and of the client's network.
         */
        post: operations["postAuthRegisterSendCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/register/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Verify an account with the code that was sent
         * @description Public. The right code creates the account and returns a token, like a login; `device_name` is the name of the device in the list of sessions. A wrong or expired code is a 404 whose `message` is an object. After five wrong tries from one network every code for the address is refused there for a while.
         */
        post: operations["postAuthRegisterVerify"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/reset-password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set a new password
         * @description Public. Needs the `reset_token`. Without it, only the client that entered the code (same address and user agent) may reset the password, for two minutes, unless the setting `reset_needs_token` forbids that; else 404. Ends every session of the account and notifies the owner. 422 for a password that is among the most common or contains the name or the name part of the e-mail. The token stays valid after a failed request.
         */
        post: operations["postAuthResetPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/reset-password-send-code": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a code to reset the password
         * @description Public. Sends a six-digit code to the proven e-mail of an account, however it logs in; the code is valid for ten minutes. The answer is always the same, so that it does not reveal which accounts exist. At most one code a minute is sent, within the budgets of the address and of the client's network.
         */
        post: operations["postAuthResetPasswordSendCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/reset-password-verify-code": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Exchange the code for a reset token
         * @description Public. Returns a `reset_token` that allows one reset within ten minutes. A wrong or expired code is a 404; after five wrong tries from one network every code of the account is refused there for a while.
         */
        post: operations["postAuthResetPasswordVerifyCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The caller's sessions
         * @description For students and teachers. At most 20, last used first. `name` is the `device_name` of the login, by default a name derived from its user agent; `address` is the address of the login; `push` says whether the session gets push messages, `current` whether it is the one in use. `last_used_at` may be five minutes old, the order one minute. API tokens are not included.
         */
        get: operations["getAuthSessions"];
        put?: never;
        post?: never;
        /**
         * End all other sessions
         * @description For students and teachers. Every session except the one in use ends everywhere within a second; `ended` is their number. API tokens stay valid.
         */
        delete: operations["deleteAuthSessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End a session
         * @description For students and teachers. The session ends everywhere within a second, with its streams of live events and its push messages. 404 for another user's session and for an API token.
         */
        delete: operations["deleteAuthSessionsId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The caller's API tokens
         * @description For students and teachers. The tokens created for scripts and integrations, without their secrets; tokens of logins are not included.
         */
        get: operations["getAuthTokens"];
        put?: never;
        /**
         * Create an API token
         * @description For students and teachers. `token` is only in this answer: store it. It has its owner's rights until it is deleted or unused for 180 days. At most 100 tokens (409).
         */
        post: operations["postAuthTokens"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/tokens/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete an API token
         * @description For students and teachers. The token ends everywhere within a second. Another user's token is a 404.
         */
        delete: operations["deleteAuthTokensId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/blocks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Users whom the caller has blocked, newest first
         * @description For students and teachers. For older blocks, pass the `user_id` of the last as `before`. A page has 50, or `limit`, at most 100.
         */
        get: operations["getBlocks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/blocks/{user_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Block a user
         * @description For students and teachers. From now on neither of the two can write to the other (409) or call them (409, as if they were busy). A call that rings between them ends; an active call continues. Messages stay, and the other person is not notified. A repeat changes nothing. 404 for an unknown user or an administrator, 422 for oneself.
         */
        put: operations["putBlocksUserId"];
        post?: never;
        /**
         * Lift a block
         * @description For students and teachers. The two can write to and call each other again, unless the other has blocked the caller too. A success also when there is no block; 404 for an unknown user or an administrator, 422 for oneself.
         */
        delete: operations["deleteBlocksUserId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/bookings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your lessons
         * @description For students and teachers. `state` `upcoming`, the default: open lessons that are not over, next first; `past`: all others, latest first. For the next page give the `id` of the last lesson as `before`; a page has 50 lessons, or `limit`, at most 100.
         */
        get: operations["getBookings"];
        put?: never;
        /**
         * Book a lesson
         * @description For students. The time must consist of consecutive free slots of the teacher, otherwise 409; also 409 for a teacher who is banned or, where `require_verified_teacher` is 1, not verified. The booking is `requested` until the teacher confirms it, or `confirmed` at once where `booking_auto_confirm` is 1. At most a year ahead; 409 while `max_open_requests` requests of the student, or 3 to this teacher, wait for an answer.
         */
        post: operations["postBookings"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/bookings.ics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get your lessons as a calendar
         * @description Public: the link of `GET api/bookings/feed`. The confirmed lessons as iCalendar (RFC 5545), without an envelope; times are in UTC. Past lessons stay for 90 days; a calendar has at most 500 lessons, upcoming ones first. `SEQUENCE` and `DTSTAMP` change only with the lesson. With its `ETag` in `If-None-Match`, an unchanged calendar is a 304. HEAD answers like GET without the body. 404, also as the HTTP status, for a link that is unknown or was renewed; 429 for a link that is read more than 120 times a minute.
         */
        get: operations["getBookingsIcs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/bookings/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a lesson
         * @description For both, until `booking_cancel_hours` before the lesson begins; later 409. A student can withdraw an unanswered request until it begins. The other side receives `reason`.
         */
        post: operations["postBookingsIdCancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/bookings/{id}/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirm a lesson
         * @description For the side that has to answer: the teacher, or after a move the side that did not move it. `starts_at` is the time that the answer refers to: 409 when the time has changed. For a confirmed lesson with a `proposed_starts_at`, the answer refers to the proposal: the lesson moves. 409 when the lesson is over.
         */
        post: operations["postBookingsIdConfirm"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/bookings/{id}/decline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Decline a lesson
         * @description For the side that has to answer: the teacher, or after a move the side that did not move it. `starts_at` is the time that the answer refers to: 409 when the time has changed. For a confirmed lesson with a `proposed_starts_at`, the answer refers to the proposal: the lesson keeps its time. 409 when the lesson is over.
         */
        post: operations["postBookingsIdDecline"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/bookings/{id}/reschedule": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Move a lesson
         * @description For both, until `booking_cancel_hours` before the lesson begins, for a student’s own request until it begins; later 409, also when the new time is not free. The lesson keeps its length and must begin with a slot, at most a year ahead; only students must observe `min_notice_minutes`. A request moves at once and needs a new answer. A confirmed lesson keeps its time until the other side confirms `proposed_starts_at`; until then both times are taken. The current time as `starts_at` changes nothing, except that it withdraws a proposal.
         */
        post: operations["postBookingsIdReschedule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/bookings/feed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the link to your calendar of lessons
         * @description For students and teachers. Calendar apps subscribe to it. Anyone who has the link can read your lessons. It stays the same until it is renewed.
         */
        get: operations["getBookingsFeed"];
        put?: never;
        /**
         * Renew the link to your calendar
         * @description For students and teachers. The previous link stops working at once.
         */
        post: operations["postBookingsFeed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/call/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept a ringing call
         * @description For teachers. Reserves the cost of the first step and fixes the prices; the meter starts now. `student_user_id` and `call_type` are those of the ringing call, otherwise 404. 402 when the student cannot pay the first step: the call is canceled. A repeated request returns the same transaction.
         */
        post: operations["postCallAccept"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/call/alive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report that the student is still in the call
         * @description For the call's student, about once in half a step while the call is on the screen. After the first sign of life, two steps without one end the call, as two steps without a bill do. Where `require_student_alive` is 1, no step is charged before the first one, and two steps without any end the call at a cost of 0. Before the teacher has accepted, it has no effect. Somebody else's call is a 404, a call that is over a 409.
         */
        post: operations["postCallAlive"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/call/bill": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Charge the steps that are due
         * @description For the call's teacher, about once a step. The server owns the meter: every step that is due and not charged yet is charged once; when no step is due, the request succeeds. Without a bill for two steps the call ends. Where `require_student_alive` is 1, no step is due before the first `call/alive` of the student. A call that is unknown, not the caller's, over or out of money is refused with `statusCode` 500 and the reason. Lack of money ends the call.
         */
        post: operations["postCallBill"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/call/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stop calling a teacher
         * @description For students, while it rings. 404 when nothing rings. Both receive `call.canceled`; nothing is charged.
         */
        post: operations["postCallCancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/call/end": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Hang up
         * @description For both people of the call. The call ends at once; the steps that were due by then are still charged, and the rest of the reserve is released. A repeated request succeeds. A call or room that is not the caller's is a 404, a malformed or unknown one a 422.
         */
        post: operations["postCallEnd"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/call/init": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Call a teacher
         * @description For students. Rings the teacher until `call_ring_timeout_seconds` have passed. A request that is repeated while the call rings returns the same call. 402 when the balance does not cover the first step; 409 when one of the two is in a call or the teacher cannot be called; 429 after `max_free_rings` rings of the same teacher within 10 minutes that cost nothing. The token is valid for the ring, the time that the balance pays (at most 4 hours) and a minute. `channel` is the room's uuid, which `call/end` needs.
         */
        post: operations["postCallInit"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/call/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reject a ringing call
         * @description For teachers. 404 when nothing rings from that student. Both receive `call.rejected`; nothing is charged.
         */
        post: operations["postCallReject"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/call/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get a token to join a live call
         * @description For both people of the call: a provider token, valid for the time that the balance still pays (at most 4 hours) and a minute, and before the acceptance also for the rest of the ring. A new token is made only when its expiry differs from that of the last one. 404 when the call is not the caller's, 409 when it is over.
         */
        post: operations["postCallToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/calls": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your calls, newest first
         * @description For students and teachers. For the next page give the `identifier` of the last call as `before`; a page has 50 calls, or `limit`, at most 100.
         */
        get: operations["getCalls"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/calls/{identifier}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show one of your calls, with its cost, duration and steps
         * @description For students and teachers. While the call runs, `total_cost` is what is charged so far, and `total_duration` is null. Somebody else's call is a 404.
         */
        get: operations["getCallsIdentifier"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/calls/{identifier}/receipt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the receipt of one of your calls, step by step
         * @description For both people of the call, while it runs and after. `total` is the sum of the lines, which is what the ledger has charged by now; refunds are not subtracted. The teacher also sees the commission and the earnings. Somebody else's call is a 404; 503 while payments are unavailable.
         */
        get: operations["getCallsIdentifierReceipt"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/calls/{identifier}/review": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Review a lesson
         * @description For its student, once, when the call has ended and has cost something; otherwise 409.
         */
        post: operations["postCallsIdentifierReview"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/checkout/{deposit}/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Page of the sandbox payment provider
         * @description Public; for browsers. `checkout_url` opens this page if no real provider is configured. The secret in the link is the only authentication; without it the page is a 404.
         */
        get: operations["getCheckoutDepositToken"];
        put?: never;
        /**
         * Pay, fail or cancel at the sandbox payment provider
         * @description Public. The buttons of the page send this. The deposit moves as after a webhook of a real provider.
         */
        post: operations["postCheckoutDepositToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/checkout/returned": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Page after a payment at a provider
         * @description Public; for browsers. Payment providers redirect here; the page asks the user to return to the app.
         */
        get: operations["getCheckoutReturned"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/checkout/style.css": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Style sheet of the payment pages
         * @description Public; for browsers. The style sheet of the pages below.
         */
        get: operations["getCheckoutStyleCss"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/deposits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Own deposits, newest first
         * @description For students and teachers. For older ones send the last id as `before`. `limit` is 50 by default and 100 at most.
         */
        get: operations["getDeposits"];
        put?: never;
        /**
         * Top up: create a deposit and a payment link
         * @description For students. Open `checkout_url` to pay; only this response contains it. The balance is credited when the provider confirms the payment; the live event `wallet.balance` announces it. 422 below the setting `min_deposit`, above 1,000,000,000, or for an amount that the payment provider does not accept. An unpaid deposit is canceled after 24 hours. Send an `Idempotency-Key`, so that a retry does not create a second deposit.
         */
        post: operations["postDeposits"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/deposits/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One of the own deposits
         * @description For students and teachers. A deposit of another user is a 404.
         */
        get: operations["getDepositsId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Listen to live events
         * @description For users and administrators. Server-Sent Events: `event` is the name, `data` the JSON that the webhook of that name describes, `id` identifies the event, also if it is repeated. Send the last `id` as `Last-Event-ID` to get the events missed within the last hour (or longer, if configured); the event `resync` means that older events were missed: fetch the state again. A comment is sent every 20 seconds. At most 5 streams per user: a sixth ends the oldest, whose client is asked to wait a minute (`retry`) before it reconnects. A stream ends within a second after its token.
         */
        get: operations["getEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/favourites": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Favourite teachers, newest first
         * @description For students. Teachers who are not listed at the moment are left out. For older favourites give the `id` of the last teacher as `before`; `limit` is at most 100, by default 50.
         */
        get: operations["getFavourites"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/favourites/{teacher_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Mark a teacher as a favourite
         * @description For students; at most 500 (409). Idempotent. 404 unless the user is a listed teacher.
         */
        put: operations["putFavouritesTeacherId"];
        post?: never;
        /**
         * Unmark a favourite teacher
         * @description For students. Succeeds for any teacher, also if not a favourite or no longer listed; else 404.
         */
        delete: operations["deleteFavouritesTeacherId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/files/{key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a file
         * @description Public: anybody with the link may read it. Images, audio and video have their own content type; any other file is an attachment of `application/octet-stream`. `Content-Disposition` has the file name. The response is the bytes, without JSON and envelope. HEAD, range and conditional requests work.
         */
        get: operations["getFilesKey"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
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
        post?: never;
        /**
         * Delete the caller's account
         * @description For students and teachers; cannot be undone. Needs the `password` or a `code`: a request without either sends the code and returns a 422; a wrong password or code is a 422 too. 409 during a call, with an open withdrawal, or with money left unless `forfeit` is true (a student cannot withdraw it). Messages and other shared data stay, without the name.
         */
        delete: operations["deleteMe"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/me/availability": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
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
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/me/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download all own data
         * @description For students and teachers, five times per UTC day, then 429. One JSON file with all services' data about the caller, in the shapes of their own routes; without the envelope, as an attachment of any length. 503 while one of the services is unavailable. If a service becomes unavailable during the download, the connection is closed early, and the received part is not valid JSON.
         */
        get: operations["getMeExport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/me/photo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
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
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/paymentsall": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Payments, newest first
         * @description For everybody who is logged in. Paged: one row per deposit and withdrawal, and one row per participant of each call and refund. Administrators see all payments and may filter by `user_id`; users see their own, whatever `user_id` says. `type` and `direction` filter by the origin and the direction of the money. With `with_source` administrators' rows have a `source`: `deposit:<id>`, `withdrawal:<id>`, `call:<identifier>` or `call:<identifier>:refund:<number>`.
         */
        post: operations["postPaymentsall"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/photos/{key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A photo
         * @description Public: anybody with the link may see it, until its owner replaces or removes the photo. An image, without the envelope; supports ranges, conditional requests and HEAD.
         */
        get: operations["getPhotosKey"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/plans": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Plans
         * @description Public. All plans that a teacher can choose.
         */
        get: operations["getPlans"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/reports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report a user to the administrators
         * @description For students and teachers. `room_uuid` and `identifier` name a room and a call of the two people; any other, an unknown user and oneself are a 422. Administrators receive `report.created`; the reported person is not notified. Send an `Idempotency-Key`, so that a repeat reports only once.
         */
        post: operations["postReports"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/reviews/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change a review
         * @description For its student, for 14 days; later 409. Without `comment` the comment is removed.
         */
        put: operations["putReviewsId"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/reviews/{id}/reply": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Answer a review
         * @description For its teacher. `""` removes the answer.
         */
        put: operations["putReviewsIdReply"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/rooms": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The caller's rooms, latest activity first
         * @description For students and teachers. Each with both people, the last message and, during a call, its `rtc_token`. E-mail addresses are real; phones and addresses are not shown here. For rooms after the first 200, pass the uuid of the last one as `before`.
         */
        get: operations["getRooms"];
        put?: never;
        /**
         * Open the room with a teacher
         * @description For students. There is one room per student and teacher; opening it again returns it. An unknown teacher is a 422. Both receive `room.created`.
         */
        post: operations["postRooms"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/rooms/{uuid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Messages of a room, each with its sender
         * @description For the two people of the room; for others it is a 404. Chronological: the newest 500, or the window that `before`, `after` and `limit` ask for. Statuses are those before this fetch, which marks the page read. The partner's balance is not shown; phone and address only with the setting `show_contact_details`.
         */
        get: operations["getRoomsUuid"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/rooms/{uuid}/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Upload a file for a room
         * @description For the two people of the room; for others it is a 404. A form with the field `file`. Its limit in MiB is the setting `file_max_mb` (413 above it). The bytes decide about the type: an image (HEIC, too) is turned upright, loses its metadata and is made smaller when it is very large; an image that cannot be shown is a `file`, a recording without video is `audio`. To share the file, send a message with its `url` as `message_link`. A file that no message uses within 24 hours is deleted. 429 beyond 200 files or 500 MiB a day.
         */
        post: operations["postRoomsUuidFiles"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/rooms/{uuid}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Messages of a room
         * @description For the two people of the room; for others it is a 404. Chronological: the newest 500, or the window that `before`, `after` and `limit` ask for. Statuses are those before this fetch, which marks the page read.
         */
        get: operations["getRoomsUuidMessages"];
        put?: never;
        /**
         * Send a message
         * @description For the two people of the room; for others it is a 404. Requires `message`, or a `message_link` to a file (http or https). Both receive `message.created`, and the partner gets a push. 409 when one of the two can no longer be written to, or has blocked the other. A repeat with the same `client_message_id` or `Idempotency-Key` sends nothing twice.
         */
        post: operations["postRoomsUuidMessages"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/rooms/{uuid}/read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mark as read
         * @description For the two people of the room. Up to the message `up_to`, or everything. Returns how far the caller has read (0: nothing yet); the partner receives `message.read`.
         */
        post: operations["postRoomsUuidRead"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/rooms/unread": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The caller's unread messages
         * @description For students and teachers. Each room with unread messages, latest activity first; `total` includes those of the support room (`support`). Marks nothing as read.
         */
        get: operations["getRoomsUnread"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/services": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the call services and their prices
         * @description Public. The first step of a call costs `base_cost` and `iterator_cost`, each later one `iterator_cost`; a step lasts `iterator` seconds. The numbers are strings.
         */
        get: operations["getServices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/skills": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Skills
         * @description Public. All skills that a student or teacher can name, with the ids that registration and profile take.
         */
        get: operations["getSkills"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/support/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Upload a file for support
         * @description For students and teachers. A form with the field `file`. Its limit in MiB is the setting `file_max_mb` (413 above it). The bytes decide about the type: an image (HEIC, too) is turned upright, loses its metadata and is made smaller when it is very large; an image that cannot be shown is a `file`, a recording without video is `audio`. To share the file, send a message with its `url` as `message_link`. A file that no message uses within 24 hours is deleted. 429 beyond 200 files or 500 MiB a day.
         */
        post: operations["postSupportFiles"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/support/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Messages of the caller's support room
         * @description For students and teachers: the conversation with the administrators, opened when there is none. Chronological: the newest 500, or the window that the cursors ask for. Fetching marks the replies read.
         */
        get: operations["getSupportMessages"];
        put?: never;
        /**
         * Write to support
         * @description For students and teachers. Requires `message`, or a `message_link` to a file. Every administrator receives `support.message`. A repeat with the same `client_message_id` or `Idempotency-Key` sends nothing twice.
         */
        post: operations["postSupportMessages"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/teachers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find teachers
         * @description For students and teachers. Paged. `q` searches name, skills and bio, ignoring case and accents; every word must match. `online` means active within ten minutes. `min_rating` excludes teachers with a lower `rating` or none. `sort`: `newest` (default); `rating`, where many reviews weigh more than few; `price`, the lowest `points` of the plan first.
         */
        get: operations["getTeachers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/teachers/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Public profile of a teacher
         * @description For students and teachers. Has no e-mail, phone number or address. 404 unless the user is a listed teacher.
         */
        get: operations["getTeachersId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/teachers/{id}/reviews": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Reviews of a teacher
         * @description For students and teachers. Paged, newest first, without hidden reviews. `student_name` is the first name, or "Former student" in the language of the request if the account is deleted.
         */
        get: operations["getTeachersIdReviews"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/teachers/{id}/slots": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the free slots of a teacher
         * @description For students and teachers. The free slots that begin on the UTC days `from` to `to`, at most 31 days, in chronological order and in UTC. An hour that the change to summer time skips has no slots; an hour that is repeated has its slots at both instants. Empty for a teacher who cannot be booked.
         */
        get: operations["getTeachersIdSlots"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/wallet": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Own balance
         * @description For students and teachers. `balance` is everything, `held` is reserved for a call or a withdrawal, `available` is the difference. The live event `wallet.balance` announces every change.
         */
        get: operations["getWallet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/wallet/transactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Own statement, newest first
         * @description For students and teachers. Every movement of the own money. For older ones send the last id as `before`. `limit` is 50 by default and 100 at most.
         */
        get: operations["getWalletTransactions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/wallet/transactions.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Own statement as a CSV download, newest first
         * @description For students and teachers. Every movement of the own money, or those of the UTC days `from` to `to`: RFC 4180, UTF-8 with a byte order mark, of any length. `separator` is `,` by default; spreadsheets in some languages need `;` or `tab`. Errors have their real HTTP status.
         */
        get: operations["getWalletTransactionsCsv"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/payments/{provider}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Webhook of a payment provider
         * @description For payment providers; no bearer token. The raw body is signed: a wrong or old signature is a 400. The sandbox sends `{"id", "type": "deposit.succeeded", "deposit_id"}` with `X-Signature: t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<body>">`. A duplicate event, an event of an unknown deposit, or of a payment that was not opened for the deposit that it names gets the same response and credits nothing.
         */
        post: operations["postWebhooksPaymentsProvider"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/withdrawals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Own withdrawals, newest first
         * @description For students and teachers. For older ones send the last id as `before`. `limit` is 50 by default and 100 at most.
         */
        get: operations["getWithdrawals"];
        put?: never;
        /**
         * Request a payout; the amount is held at once
         * @description For teachers. An administrator pays the amount to `account`. 402 above the available balance; 422 below the setting `min_withdrawal` or above 1,000,000,000. Send an `Idempotency-Key`, so that a retry does not create a second withdrawal.
         */
        post: operations["postWithdrawals"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/withdrawals/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One of the own withdrawals
         * @description For students and teachers. A withdrawal of another user is a 404.
         */
        get: operations["getWithdrawalsId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/withdrawals/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel an own withdrawal that no administrator has claimed
         * @description For the teacher who requested it. The amount is available again at once. 409 if an administrator has claimed (`pending`) or decided it.
         */
        post: operations["postWithdrawalsIdCancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "booking.canceled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A lesson is called off
         * @description Sent to both. By either of the two, with the `reason` if one was given; or by the system.
         */
        post: operations["onBookingCanceled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "booking.confirmed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A lesson is agreed
         * @description Sent to both.
         */
        post: operations["onBookingConfirmed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "booking.declined": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A lesson is not agreed
         * @description Sent to both. By who was asked, or because the time came without an answer. With the `status` `confirmed`: only a proposed time is not agreed, or was withdrawn; the lesson stays as it was.
         */
        post: operations["onBookingDeclined"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "booking.reminder": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A lesson begins soon
         * @description Sent to both, an hour and ten minutes before, once each.
         */
        post: operations["onBookingReminder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "booking.requested": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A lesson is asked for
         * @description Sent to both. The teacher confirms or declines it.
         */
        post: operations["onBookingRequested"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "booking.rescheduled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A lesson is moved
         * @description Sent to both. Who did not move it confirms or declines it. A confirmed lesson keeps its time until then: `proposed_starts_at` is the new one.
         */
        post: operations["onBookingRescheduled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "call.accepted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The teacher accepted
         * @description Sent to both. The meter runs from `accepted_at`.
         */
        post: operations["onCallAccepted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "call.canceled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The call stopped ringing before anybody answered
         * @description Sent to both. The student canceled; or `reason` says that the first step could not be paid, or that one of the two was banned.
         */
        post: operations["onCallCanceled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "call.ended": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The call is over
         * @description Sent to both, after the last `call.metered`. Only where a charge has to wait it comes later: `call.settled` has the final cost.
         */
        post: operations["onCallEnded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "call.low_balance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The next step of the call is not covered
         * @description Sent to the student. Unless money arrives before `next_due_at`, the call ends then.
         */
        post: operations["onCallLowBalance"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "call.metered": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A step of the call was charged
         * @description Sent to both, once for each charged step. The next one falls due at `next_due_at`, should the call go on until then; it is null for a last step that the end of the call has charged.
         */
        post: operations["onCallMetered"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "call.missed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Nobody answered in time
         * @description Sent to both. Nothing is charged.
         */
        post: operations["onCallMissed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "call.rejected": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The teacher rejected
         * @description Sent to both. Nothing is charged.
         */
        post: operations["onCallRejected"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "call.ringing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A student calls
         * @description Sent to the teacher. The call rings until `expires_at`; accept or reject it before.
         */
        post: operations["onCallRinging"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "call.settled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Nothing more is charged for the call
         * @description Sent to both, once, after `call.ended`: the last step is charged and the rest of the reserve released. The cost is final; only a refund can change what the student has paid.
         */
        post: operations["onCallSettled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "message.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Somebody wrote in a room
         * @description Sent to both people of the room, the sender too. The payload is the message as its room lists it.
         */
        post: operations["onMessageCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "message.read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The other side has read
         * @description Every message of the room up to the id `up_to` has been read. Sent to the people who wrote them; in a support room to administrators or the user.
         */
        post: operations["onMessageRead"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "report.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Somebody was reported
         * @description Sent to every administrator. The payload is the report as `POST api/admin/reportsall` lists it.
         */
        post: operations["onReportCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    resync: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Events were lost: fetch again
         * @description The `Last-Event-ID` is too old or unknown. Fetch rooms, calls and the balance again; the events after this one are complete.
         */
        post: operations["onResync"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "room.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A student and a teacher have a room now
         * @description Sent to both. The payload is the room as `GET api/rooms` lists it.
         */
        post: operations["onRoomCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "room.read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A room was read on one of the own devices
         * @description Every message of the others up to the id `up_to` has been read; `unread` are left in the room. Sent to who has read, for the other devices; of a support room to the user, or to every administrator, for they read as one.
         */
        post: operations["onRoomRead"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "support.message": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Somebody wrote in a support room
         * @description Sent to every administrator and the user concerned.
         */
        post: operations["onSupportMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "wallet.balance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The balance changed
         * @description Sent to its owner, after every deposit, charge, hold, withdrawal and refund.
         */
        post: operations["onWalletBalance"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        CallsAdminBooking: {
            /** @enum {string} */
            call_type: "video" | "audio";
            /** @example  */
            cancel_reason: string;
            /**
             * @description The participant who canceled the lesson, or null.
             * @example null
             */
            canceled_by: ("student" | "teacher") | null;
            /**
             * Format: date-time
             * @example 2026-11-20T21:04:06.593904Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-11-20T21:04:06.593904Z
             */
            ends_at: string;
            /** @example 12 */
            id: number;
            /** @example Quadratic equations */
            note: string;
            /**
             * @description Of a confirmed lesson: the time to which one side would like to move it, held until the other side answers. Null otherwise.
             * @example null
             */
            proposed_starts_at: string | null;
            /**
             * Format: date-time
             * @example 2026-11-20T21:04:06.593904Z
             */
            starts_at: string;
            /**
             * @example confirmed
             * @enum {string}
             */
            status: "requested" | "confirmed" | "declined" | "canceled" | "missed" | "done";
            /** @example 12 */
            student_id: number;
            /** @example Awa Diallo */
            student_name: string;
            /** @example 7 */
            teacher_id: number;
            /** @example Kossi Mensah */
            teacher_name: string;
            /**
             * @description The teacher's time zone when the time was set.
             * @example Africa/Abidjan
             */
            time_zone: string;
            /**
             * Format: date-time
             * @example 2026-11-20T21:04:06.593904Z
             */
            updated_at: string;
        };
        CallsAvailability: {
            exceptions: {
                /** @example false */
                available: boolean;
                /**
                 * Format: date
                 * @example 2026-12-24
                 */
                date: string;
                /** @example 09:00 */
                from: string;
                /** @example 12:30 */
                to: string;
            }[];
            /** @example 120 */
            min_notice_minutes: number;
            /** @example 60 */
            slot_minutes: number;
            /** @example Africa/Abidjan */
            time_zone: string;
            weekly: {
                /** @example 1 */
                day: number;
                /** @example 09:00 */
                from: string;
                /** @example 12:30 */
                to: string;
            }[];
        };
        CallsBooking: {
            /** @enum {string} */
            call_type: "video" | "audio";
            /**
             * Format: date-time
             * @example 2026-11-20T21:04:06.593904Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-11-20T21:04:06.593904Z
             */
            ends_at: string;
            /** @example 12 */
            id: number;
            /** @example Quadratic equations */
            note: string;
            /**
             * @description Of a confirmed lesson: the time to which one side would like to move it, held until the other side answers. Null otherwise.
             * @example null
             */
            proposed_starts_at: string | null;
            /**
             * Format: date-time
             * @example 2026-11-20T21:04:06.593904Z
             */
            starts_at: string;
            /**
             * @example confirmed
             * @enum {string}
             */
            status: "requested" | "confirmed" | "declined" | "canceled" | "missed" | "done";
            /** @example 12 */
            student_id: number;
            /** @example Awa Diallo */
            student_name: string;
            /** @example 7 */
            teacher_id: number;
            /** @example Kossi Mensah */
            teacher_name: string;
            /**
             * Format: date-time
             * @example 2026-11-20T21:04:06.593904Z
             */
            updated_at: string;
        };
        CallsPublicReview: {
            /** @example She explains well. */
            comment: string;
            /**
             * Format: date-time
             * @example 2026-11-20T21:04:06.593904Z
             */
            created_at: string;
            /** @example 12 */
            id: number;
            /** @example 5 */
            rating: number;
            /** @example Thank you! */
            reply: string;
            /**
             * @description The first name; "Former student" if the account is deleted.
             * @example Awa
             */
            student_name: string;
            /** @example 7 */
            teacher_id: number;
            /**
             * Format: date-time
             * @example 2026-11-20T21:04:06.593904Z
             */
            updated_at: string;
        };
        CallsReview: {
            /** @example She explains well. */
            comment: string;
            /**
             * Format: date-time
             * @example 2026-11-20T21:04:06.593904Z
             */
            created_at: string;
            /** @example false */
            hidden: boolean;
            /** @example 12 */
            id: number;
            /** @example 0199f2c4-8a51-7c3e-b1d0-5a2f7e9c4410 */
            identifier: string;
            /** @example 5 */
            rating: number;
            /** @example Thank you! */
            reply: string;
            /** @example 12 */
            student_id: number;
            /** @example Awa Diallo */
            student_name: string;
            /** @example 7 */
            teacher_id: number;
            /**
             * Format: date-time
             * @example 2026-11-20T21:04:06.593904Z
             */
            updated_at: string;
        };
        CallsSlot: {
            /**
             * Format: date-time
             * @example 2026-11-20T21:04:06.593904Z
             */
            ends_at: string;
            /**
             * Format: date-time
             * @example 2026-11-20T21:04:06.593904Z
             */
            starts_at: string;
        };
        Conflict: {
            /** @example This is not possible now. */
            message: string;
            /** @constant */
            statusCode: 409;
            /** @constant */
            success: false;
        };
        EnvelopedUnauthenticated: {
            data: {
                /** @enum {unknown} */
                message: "Please authenticate to continue." | "Veuillez vous authentifier pour continuer.";
                /** @constant */
                statusCode: 401;
                /** @constant */
                success: false;
            };
        };
        Failure: {
            /** @example A service is unavailable. Please try again. */
            message: string;
            /** @enum {integer} */
            statusCode: 400 | 405 | 408 | 413 | 415 | 417 | 431 | 500 | 502 | 503 | 504;
            /** @constant */
            success: false;
        };
        Forbidden: {
            /** @enum {unknown} */
            message: "Unauthorized access" | "Accès non autorisé";
            /** @constant */
            statusCode: 403;
            /** @constant */
            success: false;
        };
        IdentityAdmin: {
            created_at: string | null;
            /** @example awa@example.com */
            email: string;
            /** @example 12 */
            id: number;
            /** @example default */
            level: string;
            /** @example Ada Mensah */
            name: string;
            /** @example +22890112233 */
            phone_number: string | null;
            /** @enum {string} */
            status: "active" | "inactive";
            updated_at: string | null;
        };
        IdentityApiToken: {
            /**
             * Format: date-time
             * @example 2026-11-20T21:04:06.593904Z
             */
            created_at: string;
            /** @example 12 */
            id: number;
            last_used_at: string | null;
            /** @example Reporting script */
            name: string;
        };
        IdentityAudit: {
            /** @example withdrawal.updated */
            action: string;
            /** @example 1 */
            admin_id: number;
            /** @example Ada Mensah */
            admin_name: string;
            /**
             * @example {
             *       "status": "success"
             *     }
             */
            after: {
                [key: string]: unknown;
            } | null;
            /**
             * @example {
             *       "status": "pending"
             *     }
             */
            before: {
                [key: string]: unknown;
            } | null;
            /**
             * Format: date-time
             * @example 2026-11-20T21:04:06.593904Z
             */
            created_at: string;
            /** @example 12 */
            id: number;
            /** @example 5e1c3a0e-2f52-4c7b-9b1e-8a6a4c0d2f77 */
            request_id: string;
            /** @example withdrawal:12 */
            subject: string;
        };
        IdentityExportedProfile: {
            /** @example I prepare pupils for the baccalauréat */
            about_me: string;
            /** @example 12 rue des Cocotiers */
            address: string;
            /** @example Weekdays after 5 pm */
            availability: string;
            /** @example Teaches mathematics with patience */
            bio: string | null;
            /** @example Lomé */
            city: string;
            /** @example Togo */
            country: string;
            /**
             * Format: date-time
             * @example 2026-11-20T21:04:06.593904Z
             */
            created_at: string;
            /** @example Mathematics, Physics */
            domains: string;
            /** @example awa@example.com */
            email: string;
            /** @example 4 */
            experience: number;
            /**
             * @description A student's, newest first.
             * @example [
             *       {
             *         "teacher_id": 7,
             *         "teacher_name": "Kossi Mensah",
             *         "created_at": "2026-11-20T21:04:06.593904Z"
             *       }
             *     ]
             */
            favourites: {
                /**
                 * Format: date-time
                 * @example 2026-11-20T21:04:06.593904Z
                 */
                created_at: string;
                teacher_id: number;
                teacher_name: string;
            }[];
            /** @enum {string} */
            gauth_type: "email" | "google" | "facebook" | "apple" | "phone_number";
            /** @example 12 */
            id: number;
            /** @example Terminale */
            level_study: string | null;
            /** @example Awa Diallo */
            name: string;
            /** @example +22890112233 */
            phone_number: string;
            /** @example https://api.example.com/api/assets/avatar.png */
            photo: string;
            /** @example 1 */
            plan_id: number | null;
            /** @enum {string} */
            platform: "student" | "teacher";
            /** @example 4800 */
            solde: number;
            /** @enum {string} */
            status: "active" | "banned";
            /** @example Algebra */
            subjects_interest: string;
            /**
             * Format: date-time
             * @example 2026-11-20T21:04:06.593904Z
             */
            updated_at: string;
            /** @enum {string} */
            verified: "0" | "1";
        };
        IdentityExportedRoom: {
            /**
             * Format: date-time
             * @example 2026-11-20T21:04:06.593904Z
             */
            created_at: string;
            last_message: components["schemas"]["IdentityMessage"] | null;
            /** @description The caller's own messages, oldest first. */
            messages: components["schemas"]["IdentityMessage"][];
            /**
             * @description Token of the live call; null when there is none.
             * @example 007eJxTYNi5
             */
            rtc_token: string | null;
            student: components["schemas"]["IdentityStudentSummary"];
            teacher: components["schemas"]["IdentityTeacherSummary"];
            /**
             * Format: date-time
             * @example 2026-11-20T21:04:06.593904Z
             */
            updated_at: string;
            /** @example 3f1d2a60-7c5b-5e0a-9a53-0f6a1c2b7d11 */
            uuid: string;
        };
        IdentityExportedSupportRoom: {
            /**
             * Format: date-time
             * @example 2026-11-20T21:04:06.593904Z
             */
            created_at: string;
            last_message_at: string | "";
            /** @description The caller's own messages, oldest first. */
            messages: components["schemas"]["IdentityMessage"][];
            /**
             * Format: date-time
             * @example 2026-11-20T21:04:06.593904Z
             */
            updated_at: string;
            /** @example 12 */
            user_id: number;
            /** @example 3f1d2a60-7c5b-5e0a-9a53-0f6a1c2b7d11 */
            uuid: string;
        };
        IdentityMessage: {
            /**
             * Format: date-time
             * @example 2026-11-20T21:04:06.593904Z
             */
            created_at: string;
            /** @example 12 */
            id: number;
            /** @example Bonjour */
            message: string;
            /** @example https://files.example.com/exercise.pdf */
            message_link: string | null;
            /** @example 3f1d2a60-7c5b-5e0a-9a53-0f6a1c2b7d11 */
            room_uuid: string;
            /** @example 12 */
            sender_id: number;
            /**
             * @example unread
             * @enum {string}
             */
            status: "read" | "unread";
            /** @example 5 minutes ago */
            time: string;
            /** @enum {string} */
            type: "message" | "image" | "audio" | "video" | "file";
            /**
             * Format: date-time
             * @example 2026-11-20T21:04:06.593904Z
             */
            updated_at: string;
        };
        IdentityOwnData: {
            /**
             * @description Newest first.
             * @example [
             *       {
             *         "student_id": 12,
             *         "teacher_id": 7,
             *         "student_name": "Awa Diallo",
             *         "created_at": "2026-11-20T21:04:06.593904Z",
             *         "updated_at": "2026-11-20T21:04:06.593904Z",
             *         "id": 12,
             *         "teacher_name": "Kossi Mensah",
             *         "starts_at": "2026-11-20T21:04:06.593904Z",
             *         "ends_at": "2026-11-20T21:04:06.593904Z",
             *         "call_type": "video",
             *         "note": "",
             *         "status": "done"
             *       }
             *     ]
             */
            bookings: {
                [key: string]: unknown;
            }[];
            /**
             * @description As in `GET api/calls`, newest first.
             * @example [
             *       {
             *         "identifier": "0199f2c4-8a51-7c3e-b1d0-5a2f7e9c4410",
             *         "state": "ended",
             *         "call_type": "video",
             *         "channel": "3f1d2a60-7c5b-5e0a-9a53-0f6a1c2b7d11",
             *         "student_id": 12,
             *         "teacher_id": 7,
             *         "steps": 3,
             *         "total_cost": 250,
             *         "total_duration": 130,
             *         "created_at": "2026-11-20T21:04:06.593904Z",
             *         "accepted_at": "2026-11-20T21:04:06.593904Z",
             *         "ended_at": "2026-11-20T21:04:06.593904Z"
             *       }
             *     ]
             */
            calls: {
                [key: string]: unknown;
            }[];
            /**
             * @description As in `GET api/deposits`, newest first.
             * @example [
             *       {
             *         "id": 12,
             *         "user_id": 12,
             *         "amount": 5000,
             *         "currency": "XOF",
             *         "status": "success",
             *         "method": "mobile_money",
             *         "ref": "BANK-77",
             *         "details": "Paid by transfer",
             *         "created_at": "2026-11-20T21:04:06.593904Z",
             *         "updated_at": "2026-11-20T21:04:06.593904Z",
             *         "user": {
             *           "id": 12,
             *           "name": "Awa Diallo",
             *           "email": "awa@example.com",
             *           "phone_number": "+22890112233"
             *         }
             *       }
             *     ]
             */
            deposits: {
                [key: string]: unknown;
            }[];
            /**
             * @description Files uploaded for messages, in the shape of the upload route, newest first; the photo is in `profile`.
             * @example [
             *       {
             *         "id": 77,
             *         "url": "https://api.example.com/api/files/Zx8vQmJ2kR5tY7wLp0aBcDeFgHiJkLmN",
             *         "name": "exercise.png",
             *         "type": "image",
             *         "content_type": "image/png",
             *         "size": 48213,
             *         "width": 1024,
             *         "height": 768,
             *         "created_at": "2026-11-20T21:04:06.593904Z"
             *       }
             *     ]
             */
            files: {
                [key: string]: unknown;
            }[];
            profile: components["schemas"]["IdentityExportedProfile"];
            /**
             * @description By a student, or of a teacher, newest first.
             * @example [
             *       {
             *         "student_id": 12,
             *         "teacher_id": 7,
             *         "student_name": "Awa Diallo",
             *         "created_at": "2026-11-20T21:04:06.593904Z",
             *         "updated_at": "2026-11-20T21:04:06.593904Z",
             *         "id": 12,
             *         "identifier": "0199f2c4-8a51-7c3e-b1d0-5a2f7e9c4410",
             *         "rating": 5,
             *         "comment": "She explains well",
             *         "reply": "",
             *         "hidden": false
             *       }
             *     ]
             */
            reviews: {
                [key: string]: unknown;
            }[];
            /** @description As in `GET api/rooms`, but `last_message` is the caller's own last message; the support room comes last, as in `GET api/support/messages`. */
            rooms: (components["schemas"]["IdentityExportedRoom"] | components["schemas"]["IdentityExportedSupportRoom"])[];
            sessions: components["schemas"]["IdentitySession"][];
            /**
             * @description As in `GET api/wallet/transactions`, newest first.
             * @example [
             *       {
             *         "id": 12,
             *         "type": "deposit",
             *         "direction": "in",
             *         "amount": 5000,
             *         "ref": "BANK-77",
             *         "created_at": "2026-11-20T21:04:06.593904Z"
             *       }
             *     ]
             */
            statement: {
                [key: string]: unknown;
            }[];
            /**
             * @description As in `GET api/withdrawals`, newest first.
             * @example [
             *       {
             *         "id": 12,
             *         "user_id": 12,
             *         "amount": 5000,
             *         "currency": "XOF",
             *         "status": "success",
             *         "method": "mobile_money",
             *         "account": "+22890445566",
             *         "ref": "BANK-77",
             *         "details": "Paid by transfer",
             *         "created_at": "2026-11-20T21:04:06.593904Z",
             *         "updated_at": "2026-11-20T21:04:06.593904Z",
             *         "user": {
             *           "id": 12,
             *           "name": "Awa Diallo",
             *           "email": "awa@example.com",
             *           "phone_number": "+22890112233"
             *         }
             *       }
             *     ]
             */
            withdrawals: {
                [key: string]: unknown;
            }[];
        };
        IdentityPlan: {
            /**
             * Format: date-time
             * @example 2026-11-20T21:04:06.593904Z
             */
            created_at: string;
            /** @example 12 */
            id: number;
            /** @example 10 */
            image_cost: number;
            /** @example Standard */
            name: string;
            /** @example 100 */
            points: number;
            /**
             * Format: date-time
             * @example 2026-11-20T21:04:06.593904Z
             */
            updated_at: string;
        };
        IdentitySession: {
            /** @example 203.0.113.7 */
            address: string;
            /**
             * Format: date-time
             * @example 2026-11-20T21:04:06.593904Z
             */
            created_at: string;
            /** @example true */
            current: boolean;
            /** @example 12 */
            id: number;
            /**
             * Format: date-time
             * @example 2026-11-20T21:04:06.593904Z
             */
            last_used_at: string;
            /** @example Chrome on Windows */
            name: string;
            /** @example true */
            push: boolean;
            /** @example Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/142.0.0.0 Safari/537.36 */
            user_agent: string;
        };
        IdentitySetting: {
            /**
             * Format: date-time
             * @example 2026-11-20T21:04:06.593904Z
             */
            created_at: string;
            /** @example Smallest deposit, in the smallest unit of the currency */
            description: string;
            /** @example 12 */
            id: number;
            /** @example min_deposit */
            name: string;
            /**
             * Format: date-time
             * @example 2026-11-20T21:04:06.593904Z
             */
            updated_at: string;
            /** @example 100 */
            value: number;
        };
        IdentitySkill: {
            /**
             * Format: date-time
             * @example 2026-11-20T21:04:06.593904Z
             */
            created_at: string;
            /** @example 12 */
            id: number;
            /** @example Mathematics */
            name: string;
            /**
             * Format: date-time
             * @example 2026-11-20T21:04:06.593904Z
             */
            updated_at: string;
        };
        IdentityStudentSummary: {
            /** @example awa@example.com */
            email: string;
            /** @example 12 */
            id: number;
            /** @example Terminale */
            level_study: string | null;
            /** @example Awa Diallo */
            name: string;
            /** @example https://api.example.com/api/assets/avatar.png */
            photo: string;
            /** @example Algebra */
            subjects_interest: string;
        };
        IdentityTeacher: {
            /** @example I prepare pupils for the baccalauréat */
            about_me: string;
            /** @example Weekdays after 5 pm */
            availability: string;
            /** @example Teaches mathematics with patience */
            bio: string | null;
            /** @example Lomé */
            city: string;
            /** @example Togo */
            country: string;
            /** @example Mathematics, Physics */
            domains: string;
            /** @example 4 */
            experience: number;
            /**
             * @description Whether the requesting student marked the teacher; false for teachers.
             * @example true
             */
            favourite: boolean;
            /** @example 12 */
            id: number;
            /** @example Kossi Mensah */
            name: string;
            /** @example true */
            online: boolean;
            /** @example https://api.example.com/api/assets/avatar.png */
            photo: string;
            /** @example 1 */
            plan_id: number | null;
            /**
             * @description Mean of the reviews, with one decimal; empty without reviews.
             * @example 4.8
             */
            rating: string;
            /** @example 11 */
            reviews_count: number;
            /** @example 18 */
            transactions_count: number;
            /** @enum {string} */
            verified: "0" | "1";
        };
        IdentityTeacherSummary: {
            /** @example Weekdays after 5 pm */
            availability: string | null;
            /**
             * @description Names of skills, joined by ", ".
             * @example Mathematics, Physics
             */
            domains: string;
            /** @example awa@example.com */
            email: string;
            /** @example 4 */
            experience: number;
            /** @example 12 */
            id: number;
            /** @example Kossi Mensah */
            name: string;
            /** @example https://api.example.com/api/assets/avatar.png */
            photo: string;
        };
        IdentityUser: {
            /** @example I prepare pupils for the baccalauréat */
            about_me: string;
            /** @example 12 rue des Cocotiers */
            address: string;
            /** @example Weekdays after 5 pm */
            availability: string;
            /** @example Teaches mathematics with patience */
            bio: string | null;
            /** @example Lomé */
            city: string;
            /** @example Togo */
            country: string;
            /**
             * Format: date-time
             * @example 2026-11-20T21:04:06.593904Z
             */
            created_at: string;
            /** @example Mathematics, Physics */
            domains: string;
            /** @example awa@example.com */
            email: string;
            /** @example 4 */
            experience: number;
            /** @enum {string} */
            gauth_type: "email" | "google" | "facebook" | "apple" | "phone_number";
            /** @example 12 */
            id: number;
            /** @example Terminale */
            level_study: string | null;
            /** @example Awa Diallo */
            name: string;
            /** @example +22890112233 */
            phone_number: string;
            /** @example https://api.example.com/api/assets/avatar.png */
            photo: string;
            /** @example 1 */
            plan_id: number | null;
            /** @enum {string} */
            platform: "student" | "teacher";
            /** @example 4800 */
            solde: number;
            /** @enum {string} */
            status: "active" | "banned";
            /** @example Algebra */
            subjects_interest: string;
            /**
             * Format: date-time
             * @example 2026-11-20T21:04:06.593904Z
             */
            updated_at: string;
            /** @enum {string} */
            verified: "0" | "1";
        };
        Malformed: {
            /** @example The signature is not valid. */
            message: string;
            /** @constant */
            statusCode: 400;
            /** @constant */
            success: false;
        };
        MessagingAdminReport: {
            /**
             * Format: date-time
             * @example 2026-11-20T21:04:06.593904Z
             */
            created_at: string;
            /** @example He asked me to pay outside of the app. */
            details: string;
            /** @example 12 */
            id: number;
            /**
             * @description Of the call that it is about.
             * @example 0199f2c4-8a51-7c3e-b1d0-5a2f7e9c4410
             */
            identifier: string | null;
            /**
             * @description The administrators’ own.
             * @example Warned by mail.
             */
            note: string;
            /** @enum {string} */
            reason: "spam" | "abuse" | "fraud" | "other";
            reporter: {
                /** @example 12 */
                id: number;
                /** @example Awa Diallo */
                name: string;
            };
            /** @example 3f1d2a60-7c5b-5e0a-9a53-0f6a1c2b7d11 */
            room_uuid: string | null;
            /** @enum {string} */
            status: "open" | "resolved" | "rejected";
            /**
             * Format: date-time
             * @example 2026-11-20T21:04:06.593904Z
             */
            updated_at: string;
            user: {
                /** @example 12 */
                id: number;
                /** @example Awa Diallo */
                name: string;
            };
            /**
             * @description Who is reported.
             * @example 7
             */
            user_id: number;
        };
        MessagingBlockedUser: {
            /**
             * Format: date-time
             * @example 2026-11-20T21:04:06.593904Z
             */
            created_at: string;
            /** @example Awa Diallo */
            name: string;
            /** @example https://api.example.com/api/assets/avatar.png */
            photo: string;
            /** @example 12 */
            user_id: number;
        };
        MessagingFile: {
            /**
             * @description The content type of the response of `url`.
             * @example image/png
             */
            content_type: string;
            /**
             * Format: date-time
             * @example 2026-11-20T21:04:06.593904Z
             */
            created_at: string;
            /** @example 768 */
            height: number | null;
            /** @example 77 */
            id: number;
            /** @example exercise.png */
            name: string;
            /**
             * @description In bytes.
             * @example 48213
             */
            size: number;
            /**
             * @description Detected from the bytes.
             * @example image
             * @enum {string}
             */
            type: "image" | "audio" | "video" | "file";
            /**
             * @description Send it as `message_link`. Whoever has it may read the file.
             * @example https://api.example.com/api/files/Zx8vQmJ2kR5tY7wLp0aBcDeFgHiJkLmN
             */
            url: string;
            /**
             * @description In pixels; null unless an image.
             * @example 1024
             */
            width: number | null;
        };
        MessagingMessage: {
            /**
             * Format: date-time
             * @example 2026-11-20T21:04:06.593904Z
             */
            created_at: string;
            /** @example 12 */
            id: number;
            /** @example Bonjour */
            message: string;
            /** @example https://files.example.com/exercise.pdf */
            message_link: string | null;
            /** @example 3f1d2a60-7c5b-5e0a-9a53-0f6a1c2b7d11 */
            room_uuid: string;
            /** @example 12 */
            sender_id: number;
            /**
             * @example unread
             * @enum {string}
             */
            status: "read" | "unread";
            /** @example 5 minutes ago */
            time: string;
            /** @enum {string} */
            type: "message" | "image" | "audio" | "video" | "file";
            /**
             * Format: date-time
             * @example 2026-11-20T21:04:06.593904Z
             */
            updated_at: string;
        };
        MessagingMessageWithSender: {
            /**
             * Format: date-time
             * @example 2026-11-20T21:04:06.593904Z
             */
            created_at: string;
            /** @example 12 */
            id: number;
            /** @example Bonjour */
            message: string;
            /** @example https://files.example.com/exercise.pdf */
            message_link: string | null;
            /** @example 3f1d2a60-7c5b-5e0a-9a53-0f6a1c2b7d11 */
            room_uuid: string;
            sender: components["schemas"]["MessagingSender"];
            /**
             * @example unread
             * @enum {string}
             */
            status: "read" | "unread";
            /** @example 5 minutes ago */
            time: string;
            /** @enum {string} */
            type: "message" | "image" | "audio" | "video" | "file";
            /**
             * Format: date-time
             * @example 2026-11-20T21:04:06.593904Z
             */
            updated_at: string;
        };
        MessagingReport: {
            /**
             * Format: date-time
             * @example 2026-11-20T21:04:06.593904Z
             */
            created_at: string;
            /** @example He asked me to pay outside of the app. */
            details: string;
            /** @example 12 */
            id: number;
            /**
             * @description Of the call that it is about.
             * @example 0199f2c4-8a51-7c3e-b1d0-5a2f7e9c4410
             */
            identifier: string | null;
            /** @enum {string} */
            reason: "spam" | "abuse" | "fraud" | "other";
            /** @example 3f1d2a60-7c5b-5e0a-9a53-0f6a1c2b7d11 */
            room_uuid: string | null;
            /** @enum {string} */
            status: "open" | "resolved" | "rejected";
            /**
             * Format: date-time
             * @example 2026-11-20T21:04:06.593904Z
             */
            updated_at: string;
            /**
             * @description Who is reported.
             * @example 7
             */
            user_id: number;
        };
        MessagingRoom: {
            /**
             * Format: date-time
             * @example 2026-11-20T21:04:06.593904Z
             */
            created_at: string;
            last_message: components["schemas"]["MessagingMessage"] | null;
            /**
             * @description Token of the live call; null when there is none.
             * @example 007eJxTYNi5
             */
            rtc_token: string | null;
            student: components["schemas"]["MessagingStudentSummary"];
            teacher: components["schemas"]["MessagingTeacherSummary"];
            /**
             * Format: date-time
             * @example 2026-11-20T21:04:06.593904Z
             */
            updated_at: string;
            /** @example 3f1d2a60-7c5b-5e0a-9a53-0f6a1c2b7d11 */
            uuid: string;
        };
        MessagingSender: {
            /** @example I prepare pupils for the baccalauréat */
            about_me: string;
            /** @example 12 rue des Cocotiers */
            address: string;
            /** @example Lomé */
            city: string;
            /** @example Togo */
            country: string;
            /**
             * Format: date-time
             * @example 2026-11-20T21:04:06.593904Z
             */
            created_at: string;
            /** @example awa@example.com */
            email: string;
            /** @example 12 */
            id: number;
            /** @example Terminale */
            level_study: string | null;
            /** @example Awa Diallo */
            name: string;
            /** @example +22890112233 */
            phone_number: string;
            /** @example https://api.example.com/api/assets/avatar.png */
            photo: string;
            /**
             * @description The viewer's own balance; 0 for anybody else.
             * @example 4800
             */
            solde: number;
            /** @example active */
            status: string;
            /** @example Algebra */
            subjects_interest: string;
            /**
             * Format: date-time
             * @example 2026-11-20T21:04:06.593904Z
             */
            updated_at: string;
        };
        MessagingStudentSummary: {
            /** @example awa@example.com */
            email: string;
            /** @example 12 */
            id: number;
            /** @example Terminale */
            level_study: string | null;
            /** @example Awa Diallo */
            name: string;
            /** @example https://api.example.com/api/assets/avatar.png */
            photo: string;
            /** @example Algebra */
            subjects_interest: string;
        };
        MessagingSupportRoom: {
            /**
             * Format: date-time
             * @example 2026-11-20T21:04:06.593904Z
             */
            created_at: string;
            /** @description Empty when there is no message. */
            last_message_at: string | "";
            messages: components["schemas"]["MessagingMessage"][];
            /**
             * Format: date-time
             * @example 2026-11-20T21:04:06.593904Z
             */
            updated_at: string;
            /** @example 12 */
            user_id: number;
            /** @example 3f1d2a60-7c5b-5e0a-9a53-0f6a1c2b7d11 */
            uuid: string;
        };
        MessagingSupportRoomItem: {
            last_message: components["schemas"]["MessagingMessage"] | null;
            user: {
                /** @example awa@example.com */
                email: string;
                /** @example 12 */
                id: number;
                /** @example Awa Diallo */
                name: string;
                /** @example +22890112233 */
                phone_number: string;
            };
            /** @example 3f1d2a60-7c5b-5e0a-9a53-0f6a1c2b7d11 */
            uuid: string;
        };
        MessagingTeacherSummary: {
            /** @example Weekdays after 5 pm */
            availability: string | null;
            /**
             * @description Names of skills, joined by ", ".
             * @example Mathematics, Physics
             */
            domains: string;
            /** @example awa@example.com */
            email: string;
            /** @example 4 */
            experience: number;
            /** @example 12 */
            id: number;
            /** @example Kossi Mensah */
            name: string;
            /** @example https://api.example.com/api/assets/avatar.png */
            photo: string;
        };
        MessagingUnreadRoom: {
            /** @example 3f1d2a60-7c5b-5e0a-9a53-0f6a1c2b7d11 */
            room_uuid: string;
            /** @example 2 */
            unread: number;
        };
        NestedNotFound: {
            message: {
                /** @example The record could not be found. */
                message: string;
            };
            /** @constant */
            statusCode: 404;
            /** @constant */
            success: false;
        };
        NotBilled: {
            /** @example This is not possible now. */
            message: string;
            /** @constant */
            statusCode: 500;
            /** @constant */
            success: false;
        };
        NotFound: {
            /** @example The record could not be found. */
            message: string;
            /** @constant */
            statusCode: 404;
            /** @constant */
            success: false;
        };
        PaymentRequired: {
            /** @example Not enough money. */
            message: string;
            /** @constant */
            statusCode: 402;
            /** @constant */
            success: false;
        };
        RangeNotSatisfiable: {
            /** @example The range is not inside the file. */
            message: string;
            /** @constant */
            statusCode: 416;
            /** @constant */
            success: false;
        };
        RateLimitRefusal: {
            /** @enum {unknown} */
            message: "Too Many Attempts." | "Trop de tentatives.";
        };
        SecondFactor: {
            /** @example Set up two-factor authentication first. */
            message: string;
            /** @constant */
            statusCode: 403;
            /** @constant */
            success: false;
        };
        Unauthenticated: {
            /** @enum {unknown} */
            message: "Unauthenticated." | "Non authentifié.";
            /** @constant */
            statusCode: 401;
            /** @constant */
            success: false;
        };
        ValidationRefusal: {
            /**
             * @example {
             *       "email": [
             *         "The email field is required."
             *       ]
             *     }
             */
            errors: {
                [key: string]: string[];
            };
            /** @example The email field is required. */
            message: string;
        };
    };
    responses: {
        /** @description The request was not accepted (400, 405, 408, 413, 415, 417, 431) or the server failed (500, 502, 503, 504). Retry after a 502, 503 or 504; if there is a `Retry-After`, wait that long first. */
        Failed: {
            headers: {
                /** @description Seconds to wait */
                "Retry-After"?: number;
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Status-Code": components["headers"]["X-Status-Code"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description The input is not valid: `errors` explains what is wrong with each field */
        Invalid: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Status-Code": components["headers"]["X-Status-Code"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationRefusal"];
            };
        };
        /** @description Too many requests */
        RateLimited: {
            headers: {
                /** @description Seconds to wait */
                "Retry-After"?: number;
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                /** @description When the full number of requests is available again, in seconds since 1970 */
                "X-RateLimit-Reset"?: number;
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Status-Code": components["headers"]["X-Status-Code"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RateLimitRefusal"];
            };
        };
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
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 403 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": [
                     *         {
                     *           "id": 12,
                     *           "name": "Ada Mensah",
                     *           "email": "awa@example.com",
                     *           "phone_number": "+22890112233",
                     *           "status": "active",
                     *           "level": "default",
                     *           "created_at": "2026-11-20T21:04:06.593904Z",
                     *           "updated_at": "2026-11-20T21:04:06.593904Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["IdentityAdmin"][];
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"];
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postAdminAdmins: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Ada Mensah",
                 *       "email": "awa@example.com",
                 *       "password": "a good secret",
                 *       "phone_number": "+22890112233"
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: email
                     * @example awa@example.com
                     */
                    email: string;
                    /** @example Ada Mensah */
                    name: string;
                    /** @example a good secret */
                    password: string;
                    /** @example +22890112233 */
                    phone_number: string;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 403 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 201,
                     *       "data": "The administrator has been created."
                     *     }
                     */
                    "application/json": {
                        /** @example The administrator has been created. */
                        data: string;
                        /** @constant */
                        statusCode: 201;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            201: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 201,
                     *       "data": "The administrator has been created."
                     *     }
                     */
                    "application/json": {
                        /** @example The administrator has been created. */
                        data: string;
                        /** @constant */
                        statusCode: 201;
                        /** @constant */
                        success: true;
                    };
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"];
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getAdminAdminsId: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 403, 404 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": {
                     *         "id": 12,
                     *         "name": "Ada Mensah",
                     *         "email": "awa@example.com",
                     *         "phone_number": "+22890112233",
                     *         "status": "active",
                     *         "level": "default",
                     *         "created_at": "2026-11-20T21:04:06.593904Z",
                     *         "updated_at": "2026-11-20T21:04:06.593904Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["IdentityAdmin"];
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"] | components["schemas"]["NotFound"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    putAdminAdminsId: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "status": "active"
                 *     }
                 */
                "application/json": {
                    /** @enum {string} */
                    status: "active" | "inactive";
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 403, 404, 409 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": {
                     *         "message": "It is done."
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            /** @example It is done. */
                            message: string;
                        };
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"] | components["schemas"]["NotFound"] | components["schemas"]["Conflict"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            409: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Conflict"];
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getAdminAdminsAccess: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 403 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": [
                     *         {
                     *           "id": 12,
                     *           "last_login_at": "2026-11-20T21:04:06.593904Z",
                     *           "totp": true,
                     *           "sessions": 2
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        data: {
                            /** @example 12 */
                            id: number;
                            last_login_at: string | null;
                            /** @example 2 */
                            sessions: number;
                            /** @example true */
                            totp: boolean;
                        }[];
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"];
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postAdminAuditall: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "pageItems": 15,
                 *       "page": 1,
                 *       "filter_value": "awa",
                 *       "order": "desc",
                 *       "admin_id": 1,
                 *       "action": "withdrawal.updated",
                 *       "subject": "withdrawal:12",
                 *       "from": "2026-11-01",
                 *       "to": "2026-11-30"
                 *     }
                 */
                "application/json": {
                    /** @example withdrawal.updated */
                    action?: string;
                    /** @example 1 */
                    admin_id?: number;
                    /** @example awa */
                    filter_value?: string;
                    /**
                     * Format: date
                     * @example 2026-11-01
                     */
                    from?: string;
                    /**
                     * @description `asc`: oldest first.
                     * @example desc
                     * @enum {string}
                     */
                    order?: "asc" | "desc";
                    /** @example 1 */
                    page?: number;
                    /** @example 15 */
                    pageItems?: number;
                    /** @example withdrawal:12 */
                    subject?: string;
                    /**
                     * Format: date
                     * @example 2026-11-30
                     */
                    to?: string;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 403 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": {
                     *         "current_page": 1,
                     *         "data": [
                     *           {
                     *             "id": 12,
                     *             "admin_id": 1,
                     *             "admin_name": "Ada Mensah",
                     *             "action": "withdrawal.updated",
                     *             "subject": "withdrawal:12",
                     *             "before": {
                     *               "status": "pending"
                     *             },
                     *             "after": {
                     *               "status": "success"
                     *             },
                     *             "request_id": "5e1c3a0e-2f52-4c7b-9b1e-8a6a4c0d2f77",
                     *             "created_at": "2026-11-20T21:04:06.593904Z"
                     *           }
                     *         ],
                     *         "first_page_url": "https://api.example.com/api/paymentsall?page=1",
                     *         "from": 1,
                     *         "last_page": 3,
                     *         "last_page_url": "https://api.example.com/api/paymentsall?page=3",
                     *         "links": [
                     *           {
                     *             "url": "https://api.example.com/api/paymentsall?page=2",
                     *             "label": "1",
                     *             "active": true
                     *           }
                     *         ],
                     *         "next_page_url": "https://api.example.com/api/paymentsall?page=2",
                     *         "path": "https://api.example.com/api/paymentsall",
                     *         "per_page": 15,
                     *         "prev_page_url": "https://api.example.com/api/paymentsall?page=1",
                     *         "to": 15,
                     *         "total": 38
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            /** @example 1 */
                            current_page: number;
                            data: components["schemas"]["IdentityAudit"][];
                            /** @example https://api.example.com/api/paymentsall?page=1 */
                            first_page_url: string;
                            /** @example 1 */
                            from: number | null;
                            /** @example 3 */
                            last_page: number;
                            /** @example https://api.example.com/api/paymentsall?page=3 */
                            last_page_url: string;
                            links: {
                                /** @example true */
                                active: boolean;
                                /** @example 1 */
                                label: string;
                                /** @example https://api.example.com/api/paymentsall?page=2 */
                                url: string | null;
                            }[];
                            /** @example https://api.example.com/api/paymentsall?page=2 */
                            next_page_url: string | null;
                            /** @example https://api.example.com/api/paymentsall */
                            path: string;
                            /** @example 15 */
                            per_page: number;
                            /** @example https://api.example.com/api/paymentsall?page=1 */
                            prev_page_url: string | null;
                            /** @example 15 */
                            to: number | null;
                            /** @example 38 */
                            total: number;
                        };
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"];
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postAdminAuthLogin: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "email": "awa@example.com",
                 *       "password": "a good secret",
                 *       "code": "493021"
                 *     }
                 */
                "application/json": {
                    /** @example 493021 */
                    code?: string;
                    /** @example awa@example.com */
                    email?: string;
                    /** @example a good secret */
                    password?: string;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 403, 404 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": {
                     *         "token": "12|mQ4vJ8sT0bXyZ2aC6dE9fG1hK3nP5rU7wLoIqBtVj1c2d3e4",
                     *         "token_type": "Bearer",
                     *         "admin": {
                     *           "id": 12,
                     *           "name": "Ada Mensah",
                     *           "email": "awa@example.com",
                     *           "phone_number": "+22890112233",
                     *           "status": "active",
                     *           "level": "default",
                     *           "created_at": "2026-11-20T21:04:06.593904Z",
                     *           "updated_at": "2026-11-20T21:04:06.593904Z"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            admin: components["schemas"]["IdentityAdmin"];
                            /** @example 12|mQ4vJ8sT0bXyZ2aC6dE9fG1hK3nP5rU7wLoIqBtVj1c2d3e4 */
                            token: string;
                            /** @constant */
                            token_type: "Bearer";
                        };
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["SecondFactor"] | components["schemas"]["NotFound"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SecondFactor"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postAdminAuthLogout: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 403 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": {
                     *         "message": "It is done."
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            /** @example It is done. */
                            message: string;
                        };
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getAdminAuthMe: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 403, 404 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": {
                     *         "id": 12,
                     *         "name": "Ada Mensah",
                     *         "email": "awa@example.com",
                     *         "phone_number": "+22890112233",
                     *         "status": "active",
                     *         "level": "default",
                     *         "created_at": "2026-11-20T21:04:06.593904Z",
                     *         "updated_at": "2026-11-20T21:04:06.593904Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["IdentityAdmin"];
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["NotFound"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    putAdminAuthMe: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "name": "Ada Mensah",
                 *       "email": "awa@example.com",
                 *       "password": "a good secret",
                 *       "current_password": "a good secret"
                 *     }
                 */
                "application/json": {
                    /** @example a good secret */
                    current_password?: string;
                    /**
                     * Format: email
                     * @example awa@example.com
                     */
                    email?: string;
                    /** @example Ada Mensah */
                    name?: string;
                    /** @example a good secret */
                    password?: string;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 403, 404 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": {
                     *         "id": 12,
                     *         "name": "Ada Mensah",
                     *         "email": "awa@example.com",
                     *         "phone_number": "+22890112233",
                     *         "status": "active",
                     *         "level": "default",
                     *         "created_at": "2026-11-20T21:04:06.593904Z",
                     *         "updated_at": "2026-11-20T21:04:06.593904Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["IdentityAdmin"];
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["NotFound"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postAdminAuthResetPassword: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "awa@example.com",
                 *       "code": "493021",
                 *       "password": "a good secret"
                 *     }
                 */
                "application/json": {
                    /** @example 493021 */
                    code: string;
                    /** @example awa@example.com */
                    email: string;
                    /** @example a good secret */
                    password: string;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 404 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": {
                     *         "message": "It is done."
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            /** @example It is done. */
                            message: string;
                        };
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["NotFound"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postAdminAuthResetPasswordSendCode: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "email": "awa@example.com"
                 *     }
                 */
                "application/json": {
                    /** @example awa@example.com */
                    email?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": {
                     *         "message": "It is done."
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            /** @example It is done. */
                            message: string;
                        };
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    };
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getAdminAuthTotp: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 403 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": {
                     *         "totp": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            /** @example true */
                            totp: boolean;
                        };
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    putAdminAuthTotp: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "code": "493021"
                 *     }
                 */
                "application/json": {
                    /** @example 493021 */
                    code: string;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 403 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": {
                     *         "message": "It is done.",
                     *         "recovery_codes": [
                     *           "K7QM-2XAB-D5TZ-VN3C"
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            /** @example It is done. */
                            message: string;
                            /**
                             * @example [
                             *       "K7QM-2XAB-D5TZ-VN3C"
                             *     ]
                             */
                            recovery_codes: string[];
                        };
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postAdminAuthTotp: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "current_password": "a good secret"
                 *     }
                 */
                "application/json": {
                    /** @example a good secret */
                    current_password: string;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 403, 404, 409 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": {
                     *         "secret": "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP",
                     *         "uri": "otpauth://totp/Tutoring:awa%40example.com?issuer=Tutoring&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            /** @example JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP */
                            secret: string;
                            /** @example otpauth://totp/Tutoring:awa%40example.com?issuer=Tutoring&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP */
                            uri: string;
                        };
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["NotFound"] | components["schemas"]["Conflict"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            409: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Conflict"];
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    deleteAdminAuthTotp: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "current_password": "a good secret"
                 *     }
                 */
                "application/json": {
                    /** @example a good secret */
                    current_password: string;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 403, 404 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": {
                     *         "message": "It is done."
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            /** @example It is done. */
                            message: string;
                        };
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["NotFound"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postAdminBookingsall: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "pageItems": 15,
                 *       "page": 1,
                 *       "filter_value": "awa",
                 *       "order": "desc",
                 *       "status": "confirmed",
                 *       "user_id": 12,
                 *       "from": "2026-11-01",
                 *       "to": "2026-11-30",
                 *       "starts_from": "2026-11-23",
                 *       "starts_to": "2026-11-29"
                 *     }
                 */
                "application/json": {
                    /** @example awa */
                    filter_value?: string;
                    /**
                     * Format: date
                     * @example 2026-11-01
                     */
                    from?: string;
                    /**
                     * @description `asc`: oldest first.
                     * @example desc
                     * @enum {string}
                     */
                    order?: "asc" | "desc";
                    /** @example 1 */
                    page?: number;
                    /** @example 15 */
                    pageItems?: number;
                    /**
                     * Format: date
                     * @example 2026-11-23
                     */
                    starts_from?: string;
                    /**
                     * Format: date
                     * @example 2026-11-29
                     */
                    starts_to?: string;
                    /**
                     * @example confirmed
                     * @enum {string}
                     */
                    status?: "requested" | "confirmed" | "declined" | "canceled" | "missed" | "done";
                    /**
                     * Format: date
                     * @example 2026-11-30
                     */
                    to?: string;
                    /** @example 12 */
                    user_id?: number;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 403 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": {
                     *         "current_page": 1,
                     *         "data": [
                     *           {
                     *             "id": 12,
                     *             "student_id": 12,
                     *             "teacher_id": 7,
                     *             "student_name": "Awa Diallo",
                     *             "teacher_name": "Kossi Mensah",
                     *             "starts_at": "2026-11-20T21:04:06.593904Z",
                     *             "ends_at": "2026-11-20T21:04:06.593904Z",
                     *             "proposed_starts_at": null,
                     *             "call_type": "video",
                     *             "note": "Quadratic equations",
                     *             "status": "confirmed",
                     *             "created_at": "2026-11-20T21:04:06.593904Z",
                     *             "updated_at": "2026-11-20T21:04:06.593904Z",
                     *             "time_zone": "Africa/Abidjan",
                     *             "cancel_reason": "",
                     *             "canceled_by": null
                     *           }
                     *         ],
                     *         "first_page_url": "https://api.example.com/api/paymentsall?page=1",
                     *         "from": 1,
                     *         "last_page": 3,
                     *         "last_page_url": "https://api.example.com/api/paymentsall?page=3",
                     *         "links": [
                     *           {
                     *             "url": "https://api.example.com/api/paymentsall?page=2",
                     *             "label": "1",
                     *             "active": true
                     *           }
                     *         ],
                     *         "next_page_url": "https://api.example.com/api/paymentsall?page=2",
                     *         "path": "https://api.example.com/api/paymentsall",
                     *         "per_page": 15,
                     *         "prev_page_url": "https://api.example.com/api/paymentsall?page=1",
                     *         "to": 15,
                     *         "total": 38
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            /** @example 1 */
                            current_page: number;
                            data: components["schemas"]["CallsAdminBooking"][];
                            /** @example https://api.example.com/api/paymentsall?page=1 */
                            first_page_url: string;
                            /** @example 1 */
                            from: number | null;
                            /** @example 3 */
                            last_page: number;
                            /** @example https://api.example.com/api/paymentsall?page=3 */
                            last_page_url: string;
                            links: {
                                /** @example true */
                                active: boolean;
                                /** @example 1 */
                                label: string;
                                /** @example https://api.example.com/api/paymentsall?page=2 */
                                url: string | null;
                            }[];
                            /** @example https://api.example.com/api/paymentsall?page=2 */
                            next_page_url: string | null;
                            /** @example https://api.example.com/api/paymentsall */
                            path: string;
                            /** @example 15 */
                            per_page: number;
                            /** @example https://api.example.com/api/paymentsall?page=1 */
                            prev_page_url: string | null;
                            /** @example 15 */
                            to: number | null;
                            /** @example 38 */
                            total: number;
                        };
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"];
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getAdminCallsIdentifier: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path: {
                identifier: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 403, 404 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": {
                     *         "identifier": "0199f2c4-8a51-7c3e-b1d0-5a2f7e9c4410",
                     *         "state": "ended",
                     *         "call_type": "video",
                     *         "channel": "3f1d2a60-7c5b-5e0a-9a53-0f6a1c2b7d11",
                     *         "student_id": 12,
                     *         "teacher_id": 7,
                     *         "steps": 3,
                     *         "total_cost": 250,
                     *         "total_duration": 130,
                     *         "created_at": "2026-11-20T21:04:06.593904Z",
                     *         "accepted_at": "2026-11-20T21:04:06.593904Z",
                     *         "ended_at": "2026-11-20T21:04:06.593904Z",
                     *         "student_name": "Awa Diallo",
                     *         "teacher_name": "Kossi Mensah",
                     *         "student_photo": "https://api.example.com/api/assets/avatar.png",
                     *         "teacher_photo": "https://api.example.com/api/assets/avatar.png",
                     *         "refunded": 0,
                     *         "ended_by": "teacher",
                     *         "charges": [
                     *           {
                     *             "step": 1,
                     *             "amount": 150,
                     *             "commission": 15,
                     *             "ref": "call:0199f2c4-8a51-7c3e-b1d0-5a2f7e9c4410:step:1",
                     *             "created_at": "2026-11-20T21:04:06.593904Z"
                     *           }
                     *         ],
                     *         "refunds": [
                     *           {
                     *             "amount": 150,
                     *             "ref": "call:0199f2c4-8a51-7c3e-b1d0-5a2f7e9c4410:step:1",
                     *             "created_at": "2026-11-20T21:04:06.593904Z"
                     *           }
                     *         ],
                     *         "timeline": [
                     *           {
                     *             "event": "rang",
                     *             "at": "2026-11-20T21:04:06.593904Z"
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            accepted_at: string | null;
                            /** @enum {string} */
                            call_type: "video" | "audio";
                            /** @example 3f1d2a60-7c5b-5e0a-9a53-0f6a1c2b7d11 */
                            channel: string;
                            charges: {
                                /** @example 150 */
                                amount: number;
                                /** @example 15 */
                                commission: number;
                                /**
                                 * Format: date-time
                                 * @example 2026-11-20T21:04:06.593904Z
                                 */
                                created_at: string;
                                /** @example call:0199f2c4-8a51-7c3e-b1d0-5a2f7e9c4410:step:1 */
                                ref: string;
                                /** @example 1 */
                                step: number;
                            }[];
                            /**
                             * Format: date-time
                             * @example 2026-11-20T21:04:06.593904Z
                             */
                            created_at: string;
                            ended_at: string | null;
                            /**
                             * @description Who hung up, canceled or rejected; `money`: the balance was used up; `silence`: two steps without a bill, or without a sign of life of the student; `ban`: one of the two was banned. Null while the call is live, and when it was missed.
                             * @example teacher
                             */
                            ended_by: ("student" | "teacher" | "money" | "silence" | "ban") | null;
                            /** @example 0199f2c4-8a51-7c3e-b1d0-5a2f7e9c4410 */
                            identifier: string;
                            /**
                             * @description The sum of the refunds so far.
                             * @example 0
                             */
                            refunded: number;
                            refunds: {
                                /** @example 150 */
                                amount: number;
                                /**
                                 * Format: date-time
                                 * @example 2026-11-20T21:04:06.593904Z
                                 */
                                created_at: string;
                                /** @example call:0199f2c4-8a51-7c3e-b1d0-5a2f7e9c4410:step:1 */
                                ref: string;
                            }[];
                            /**
                             * @example ended
                             * @enum {string}
                             */
                            state: "ringing" | "active" | "ended" | "rejected" | "missed" | "canceled";
                            /** @example 3 */
                            steps: number;
                            /** @example 12 */
                            student_id: number;
                            /** @example Awa Diallo */
                            student_name: string;
                            /** @example https://api.example.com/api/assets/avatar.png */
                            student_photo: string;
                            /** @example 7 */
                            teacher_id: number;
                            /** @example Kossi Mensah */
                            teacher_name: string;
                            /** @example https://api.example.com/api/assets/avatar.png */
                            teacher_photo: string;
                            timeline: {
                                /**
                                 * Format: date-time
                                 * @example 2026-11-20T21:04:06.593904Z
                                 */
                                at: string;
                                /** @enum {string} */
                                event: "rang" | "accepted" | "billed" | "low_balance" | "ended_by_student" | "ended_by_teacher" | "ended_by_money" | "ended_by_silence" | "ended_by_ban" | "settled";
                            }[];
                            /** @example 250 */
                            total_cost: number;
                            /** @example 130 */
                            total_duration: number | null;
                        };
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"] | components["schemas"]["NotFound"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postAdminCallsIdentifierRefund: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your own for this one intention, at most 255 characters. For 24 hours a repeat with the same key and body gets the first answer, with the header `Idempotent-Replayed: true`, and nothing happens twice. With another body it is a 422; while the first request still runs it is a 409. */
                "Idempotency-Key"?: string;
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path: {
                identifier: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "amount": 5000,
                 *       "reason": "The teacher could not be heard."
                 *     }
                 */
                "application/json": {
                    /** @example 5000 */
                    amount?: number;
                    /** @example The teacher could not be heard. */
                    reason?: string;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 403, 404, 409 */
            200: {
                headers: {
                    /** @description This is the stored answer of an earlier request with the same `Idempotency-Key`. */
                    "Idempotent-Replayed"?: "true";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": {
                     *         "id": 12,
                     *         "user_id": 12,
                     *         "type": "deposit",
                     *         "direction": "in",
                     *         "amount": 5000,
                     *         "currency": "XOF",
                     *         "status": "success",
                     *         "ref": "BANK-77",
                     *         "details": "Paid by transfer",
                     *         "created_at": "2026-11-20T21:04:06.593904Z",
                     *         "updated_at": "2026-11-20T21:04:06.593904Z",
                     *         "user": {
                     *           "id": 12,
                     *           "name": "Awa Diallo",
                     *           "email": "awa@example.com",
                     *           "phone_number": "+22890112233"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            /** @example 5000 */
                            amount: number;
                            /**
                             * Format: date-time
                             * @example 2026-11-20T21:04:06.593904Z
                             */
                            created_at: string;
                            /** @example XOF */
                            currency: string;
                            /** @example Paid by transfer */
                            details: string | null;
                            /** @enum {string} */
                            direction: "in" | "out";
                            /** @example 12 */
                            id: number;
                            /** @example BANK-77 */
                            ref: string | null;
                            /**
                             * @example success
                             * @enum {string}
                             */
                            status: "initiated" | "pending" | "success" | "failed" | "canceled";
                            /** @enum {string} */
                            type: "deposit" | "withdrawal" | "call" | "refund";
                            /**
                             * Format: date-time
                             * @example 2026-11-20T21:04:06.593904Z
                             */
                            updated_at: string;
                            user: {
                                /** @example awa@example.com */
                                email: string;
                                /** @example 12 */
                                id: number;
                                /** @example Awa Diallo */
                                name: string;
                                /** @example +22890112233 */
                                phone_number: string;
                            };
                            /** @example 12 */
                            user_id: number;
                        };
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"] | components["schemas"]["NotFound"] | components["schemas"]["Conflict"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            409: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Conflict"];
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postAdminCallsall: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "pageItems": 15,
                 *       "page": 1,
                 *       "filter_value": "awa",
                 *       "order": "desc",
                 *       "state": "ended",
                 *       "call_type": "video",
                 *       "user_id": 12,
                 *       "from": "2026-11-01",
                 *       "to": "2026-11-30"
                 *     }
                 */
                "application/json": {
                    /**
                     * @example video
                     * @enum {string}
                     */
                    call_type?: "video" | "audio";
                    /** @example awa */
                    filter_value?: string;
                    /**
                     * Format: date
                     * @example 2026-11-01
                     */
                    from?: string;
                    /**
                     * @description `asc`: oldest first.
                     * @example desc
                     * @enum {string}
                     */
                    order?: "asc" | "desc";
                    /** @example 1 */
                    page?: number;
                    /** @example 15 */
                    pageItems?: number;
                    /**
                     * @example ended
                     * @enum {string}
                     */
                    state?: "ringing" | "active" | "ended" | "rejected" | "missed" | "canceled";
                    /**
                     * Format: date
                     * @example 2026-11-30
                     */
                    to?: string;
                    /** @example 12 */
                    user_id?: number;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 403 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": {
                     *         "current_page": 1,
                     *         "data": [
                     *           {
                     *             "identifier": "0199f2c4-8a51-7c3e-b1d0-5a2f7e9c4410",
                     *             "state": "ended",
                     *             "call_type": "video",
                     *             "channel": "3f1d2a60-7c5b-5e0a-9a53-0f6a1c2b7d11",
                     *             "student_id": 12,
                     *             "teacher_id": 7,
                     *             "steps": 3,
                     *             "total_cost": 250,
                     *             "total_duration": 130,
                     *             "created_at": "2026-11-20T21:04:06.593904Z",
                     *             "accepted_at": "2026-11-20T21:04:06.593904Z",
                     *             "ended_at": "2026-11-20T21:04:06.593904Z",
                     *             "student_name": "Awa Diallo",
                     *             "teacher_name": "Kossi Mensah",
                     *             "student_photo": "https://api.example.com/api/assets/avatar.png",
                     *             "teacher_photo": "https://api.example.com/api/assets/avatar.png",
                     *             "refunded": 0,
                     *             "ended_by": "teacher"
                     *           }
                     *         ],
                     *         "first_page_url": "https://api.example.com/api/paymentsall?page=1",
                     *         "from": 1,
                     *         "last_page": 3,
                     *         "last_page_url": "https://api.example.com/api/paymentsall?page=3",
                     *         "links": [
                     *           {
                     *             "url": "https://api.example.com/api/paymentsall?page=2",
                     *             "label": "1",
                     *             "active": true
                     *           }
                     *         ],
                     *         "next_page_url": "https://api.example.com/api/paymentsall?page=2",
                     *         "path": "https://api.example.com/api/paymentsall",
                     *         "per_page": 15,
                     *         "prev_page_url": "https://api.example.com/api/paymentsall?page=1",
                     *         "to": 15,
                     *         "total": 38
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            /** @example 1 */
                            current_page: number;
                            data: {
                                accepted_at: string | null;
                                /** @enum {string} */
                                call_type: "video" | "audio";
                                /** @example 3f1d2a60-7c5b-5e0a-9a53-0f6a1c2b7d11 */
                                channel: string;
                                /**
                                 * Format: date-time
                                 * @example 2026-11-20T21:04:06.593904Z
                                 */
                                created_at: string;
                                ended_at: string | null;
                                /**
                                 * @description Who hung up, canceled or rejected; `money`: the balance was used up; `silence`: two steps without a bill, or without a sign of life of the student; `ban`: one of the two was banned. Null while the call is live, and when it was missed.
                                 * @example teacher
                                 */
                                ended_by: ("student" | "teacher" | "money" | "silence" | "ban") | null;
                                /** @example 0199f2c4-8a51-7c3e-b1d0-5a2f7e9c4410 */
                                identifier: string;
                                /**
                                 * @description The sum of the refunds so far.
                                 * @example 0
                                 */
                                refunded: number;
                                /**
                                 * @example ended
                                 * @enum {string}
                                 */
                                state: "ringing" | "active" | "ended" | "rejected" | "missed" | "canceled";
                                /** @example 3 */
                                steps: number;
                                /** @example 12 */
                                student_id: number;
                                /** @example Awa Diallo */
                                student_name: string;
                                /** @example https://api.example.com/api/assets/avatar.png */
                                student_photo: string;
                                /** @example 7 */
                                teacher_id: number;
                                /** @example Kossi Mensah */
                                teacher_name: string;
                                /** @example https://api.example.com/api/assets/avatar.png */
                                teacher_photo: string;
                                /** @example 250 */
                                total_cost: number;
                                /** @example 130 */
                                total_duration: number | null;
                            }[];
                            /** @example https://api.example.com/api/paymentsall?page=1 */
                            first_page_url: string;
                            /** @example 1 */
                            from: number | null;
                            /** @example 3 */
                            last_page: number;
                            /** @example https://api.example.com/api/paymentsall?page=3 */
                            last_page_url: string;
                            links: {
                                /** @example true */
                                active: boolean;
                                /** @example 1 */
                                label: string;
                                /** @example https://api.example.com/api/paymentsall?page=2 */
                                url: string | null;
                            }[];
                            /** @example https://api.example.com/api/paymentsall?page=2 */
                            next_page_url: string | null;
                            /** @example https://api.example.com/api/paymentsall */
                            path: string;
                            /** @example 15 */
                            per_page: number;
                            /** @example https://api.example.com/api/paymentsall?page=1 */
                            prev_page_url: string | null;
                            /** @example 15 */
                            to: number | null;
                            /** @example 38 */
                            total: number;
                        };
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"];
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getAdminDepositsId: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 403, 404 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": {
                     *         "id": 12,
                     *         "user_id": 12,
                     *         "amount": 5000,
                     *         "currency": "XOF",
                     *         "status": "success",
                     *         "method": "mobile_money",
                     *         "ref": "BANK-77",
                     *         "details": "Paid by transfer",
                     *         "created_at": "2026-11-20T21:04:06.593904Z",
                     *         "updated_at": "2026-11-20T21:04:06.593904Z",
                     *         "user": {
                     *           "id": 12,
                     *           "name": "Awa Diallo",
                     *           "email": "awa@example.com",
                     *           "phone_number": "+22890112233"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            /** @example 5000 */
                            amount: number;
                            /**
                             * Format: date-time
                             * @example 2026-11-20T21:04:06.593904Z
                             */
                            created_at: string;
                            /** @example XOF */
                            currency: string;
                            /** @example Paid by transfer */
                            details: string | null;
                            /** @example 12 */
                            id: number;
                            /** @example mobile_money */
                            method: string | null;
                            /** @example BANK-77 */
                            ref: string | null;
                            /**
                             * @example success
                             * @enum {string}
                             */
                            status: "initiated" | "pending" | "success" | "failed" | "canceled";
                            /**
                             * Format: date-time
                             * @example 2026-11-20T21:04:06.593904Z
                             */
                            updated_at: string;
                            user: {
                                /** @example awa@example.com */
                                email: string;
                                /** @example 12 */
                                id: number;
                                /** @example Awa Diallo */
                                name: string;
                                /** @example +22890112233 */
                                phone_number: string;
                            };
                            /** @example 12 */
                            user_id: number;
                        };
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"] | components["schemas"]["NotFound"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    putAdminDepositsId: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "status": "success"
                 *     }
                 */
                "application/json": {
                    /** @example Paid by transfer */
                    details?: string;
                    /**
                     * @example pending
                     * @enum {string}
                     */
                    expected_status?: "initiated" | "pending" | "success" | "failed" | "canceled";
                    /** @example BANK-77 */
                    ref?: string;
                    /**
                     * @example success
                     * @enum {string}
                     */
                    status: "initiated" | "pending" | "success" | "failed" | "canceled";
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 403, 404, 409 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": {
                     *         "id": 12,
                     *         "user_id": 12,
                     *         "amount": 5000,
                     *         "currency": "XOF",
                     *         "status": "success",
                     *         "method": "mobile_money",
                     *         "ref": "BANK-77",
                     *         "details": "Paid by transfer",
                     *         "created_at": "2026-11-20T21:04:06.593904Z",
                     *         "updated_at": "2026-11-20T21:04:06.593904Z",
                     *         "user": {
                     *           "id": 12,
                     *           "name": "Awa Diallo",
                     *           "email": "awa@example.com",
                     *           "phone_number": "+22890112233"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            /** @example 5000 */
                            amount: number;
                            /**
                             * Format: date-time
                             * @example 2026-11-20T21:04:06.593904Z
                             */
                            created_at: string;
                            /** @example XOF */
                            currency: string;
                            /** @example Paid by transfer */
                            details: string | null;
                            /** @example 12 */
                            id: number;
                            /** @example mobile_money */
                            method: string | null;
                            /** @example BANK-77 */
                            ref: string | null;
                            /**
                             * @example success
                             * @enum {string}
                             */
                            status: "initiated" | "pending" | "success" | "failed" | "canceled";
                            /**
                             * Format: date-time
                             * @example 2026-11-20T21:04:06.593904Z
                             */
                            updated_at: string;
                            user: {
                                /** @example awa@example.com */
                                email: string;
                                /** @example 12 */
                                id: number;
                                /** @example Awa Diallo */
                                name: string;
                                /** @example +22890112233 */
                                phone_number: string;
                            };
                            /** @example 12 */
                            user_id: number;
                        };
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"] | components["schemas"]["NotFound"] | components["schemas"]["Conflict"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            409: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Conflict"];
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postAdminDepositsall: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "pageItems": 15,
                 *       "page": 1,
                 *       "filter_value": "awa",
                 *       "order": "desc",
                 *       "user_id": 12,
                 *       "status": "success",
                 *       "from": "2026-11-01",
                 *       "to": "2026-11-30"
                 *     }
                 */
                "application/json": {
                    /** @example awa */
                    filter_value?: string;
                    /**
                     * Format: date
                     * @example 2026-11-01
                     */
                    from?: string;
                    /**
                     * @description `asc`: oldest first.
                     * @example desc
                     * @enum {string}
                     */
                    order?: "asc" | "desc";
                    /** @example 1 */
                    page?: number;
                    /** @example 15 */
                    pageItems?: number;
                    /**
                     * @example success
                     * @enum {string}
                     */
                    status?: "initiated" | "pending" | "success" | "failed" | "canceled";
                    /**
                     * Format: date
                     * @example 2026-11-30
                     */
                    to?: string;
                    /** @example 12 */
                    user_id?: number;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 403 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": {
                     *         "current_page": 1,
                     *         "data": [
                     *           {
                     *             "id": 12,
                     *             "user_id": 12,
                     *             "amount": 5000,
                     *             "currency": "XOF",
                     *             "status": "success",
                     *             "method": "mobile_money",
                     *             "ref": "BANK-77",
                     *             "details": "Paid by transfer",
                     *             "created_at": "2026-11-20T21:04:06.593904Z",
                     *             "updated_at": "2026-11-20T21:04:06.593904Z",
                     *             "user": {
                     *               "id": 12,
                     *               "name": "Awa Diallo",
                     *               "email": "awa@example.com",
                     *               "phone_number": "+22890112233"
                     *             }
                     *           }
                     *         ],
                     *         "first_page_url": "https://api.example.com/api/paymentsall?page=1",
                     *         "from": 1,
                     *         "last_page": 3,
                     *         "last_page_url": "https://api.example.com/api/paymentsall?page=3",
                     *         "links": [
                     *           {
                     *             "url": "https://api.example.com/api/paymentsall?page=2",
                     *             "label": "1",
                     *             "active": true
                     *           }
                     *         ],
                     *         "next_page_url": "https://api.example.com/api/paymentsall?page=2",
                     *         "path": "https://api.example.com/api/paymentsall",
                     *         "per_page": 15,
                     *         "prev_page_url": "https://api.example.com/api/paymentsall?page=1",
                     *         "to": 15,
                     *         "total": 38
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            /** @example 1 */
                            current_page: number;
                            data: {
                                /** @example 5000 */
                                amount: number;
                                /**
                                 * Format: date-time
                                 * @example 2026-11-20T21:04:06.593904Z
                                 */
                                created_at: string;
                                /** @example XOF */
                                currency: string;
                                /** @example Paid by transfer */
                                details: string | null;
                                /** @example 12 */
                                id: number;
                                /** @example mobile_money */
                                method: string | null;
                                /** @example BANK-77 */
                                ref: string | null;
                                /**
                                 * @example success
                                 * @enum {string}
                                 */
                                status: "initiated" | "pending" | "success" | "failed" | "canceled";
                                /**
                                 * Format: date-time
                                 * @example 2026-11-20T21:04:06.593904Z
                                 */
                                updated_at: string;
                                user: {
                                    /** @example awa@example.com */
                                    email: string;
                                    /** @example 12 */
                                    id: number;
                                    /** @example Awa Diallo */
                                    name: string;
                                    /** @example +22890112233 */
                                    phone_number: string;
                                };
                                /** @example 12 */
                                user_id: number;
                            }[];
                            /** @example https://api.example.com/api/paymentsall?page=1 */
                            first_page_url: string;
                            /** @example 1 */
                            from: number | null;
                            /** @example 3 */
                            last_page: number;
                            /** @example https://api.example.com/api/paymentsall?page=3 */
                            last_page_url: string;
                            links: {
                                /** @example true */
                                active: boolean;
                                /** @example 1 */
                                label: string;
                                /** @example https://api.example.com/api/paymentsall?page=2 */
                                url: string | null;
                            }[];
                            /** @example https://api.example.com/api/paymentsall?page=2 */
                            next_page_url: string | null;
                            /** @example https://api.example.com/api/paymentsall */
                            path: string;
                            /** @example 15 */
                            per_page: number;
                            /** @example https://api.example.com/api/paymentsall?page=1 */
                            prev_page_url: string | null;
                            /** @example 15 */
                            to: number | null;
                            /** @example 38 */
                            total: number;
                        };
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"];
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postAdminPlans: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Standard",
                 *       "points": 100,
                 *       "image_cost": 10
                 *     }
                 */
                "application/json": {
                    /** @example 10 */
                    image_cost: number;
                    /** @example Standard */
                    name: string;
                    /** @example 100 */
                    points: number;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 403 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": {
                     *         "id": 12,
                     *         "name": "Standard",
                     *         "points": 100,
                     *         "image_cost": 10,
                     *         "created_at": "2026-11-20T21:04:06.593904Z",
                     *         "updated_at": "2026-11-20T21:04:06.593904Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["IdentityPlan"];
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"];
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    putAdminPlansId: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "name": "Standard",
                 *       "points": 100,
                 *       "image_cost": 10
                 *     }
                 */
                "application/json": {
                    /** @example 10 */
                    image_cost?: number;
                    /** @example Standard */
                    name?: string;
                    /** @example 100 */
                    points?: number;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 403, 404 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": {
                     *         "id": 12,
                     *         "name": "Standard",
                     *         "points": 100,
                     *         "image_cost": 10,
                     *         "created_at": "2026-11-20T21:04:06.593904Z",
                     *         "updated_at": "2026-11-20T21:04:06.593904Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["IdentityPlan"];
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"] | components["schemas"]["NotFound"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    deleteAdminPlansId: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 403, 404, 409 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": {
                     *         "message": "It is done."
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            /** @example It is done. */
                            message: string;
                        };
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"] | components["schemas"]["NotFound"] | components["schemas"]["Conflict"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            409: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Conflict"];
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getAdminReportsId: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 403, 404 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": {
                     *         "id": 12,
                     *         "user_id": 7,
                     *         "reason": "spam",
                     *         "details": "He asked me to pay outside of the app.",
                     *         "room_uuid": "3f1d2a60-7c5b-5e0a-9a53-0f6a1c2b7d11",
                     *         "identifier": "0199f2c4-8a51-7c3e-b1d0-5a2f7e9c4410",
                     *         "status": "open",
                     *         "created_at": "2026-11-20T21:04:06.593904Z",
                     *         "updated_at": "2026-11-20T21:04:06.593904Z",
                     *         "reporter": {
                     *           "id": 12,
                     *           "name": "Awa Diallo"
                     *         },
                     *         "user": {
                     *           "id": 12,
                     *           "name": "Awa Diallo"
                     *         },
                     *         "note": "Warned by mail."
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["MessagingAdminReport"];
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"] | components["schemas"]["NotFound"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    putAdminReportsId: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "status": "open"
                 *     }
                 */
                "application/json": {
                    /** @example Warned by mail. */
                    note?: string;
                    /** @enum {string} */
                    status: "open" | "resolved" | "rejected";
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 403, 404 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": {
                     *         "id": 12,
                     *         "user_id": 7,
                     *         "reason": "spam",
                     *         "details": "He asked me to pay outside of the app.",
                     *         "room_uuid": "3f1d2a60-7c5b-5e0a-9a53-0f6a1c2b7d11",
                     *         "identifier": "0199f2c4-8a51-7c3e-b1d0-5a2f7e9c4410",
                     *         "status": "open",
                     *         "created_at": "2026-11-20T21:04:06.593904Z",
                     *         "updated_at": "2026-11-20T21:04:06.593904Z",
                     *         "reporter": {
                     *           "id": 12,
                     *           "name": "Awa Diallo"
                     *         },
                     *         "user": {
                     *           "id": 12,
                     *           "name": "Awa Diallo"
                     *         },
                     *         "note": "Warned by mail."
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["MessagingAdminReport"];
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"] | components["schemas"]["NotFound"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postAdminReportsall: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "pageItems": 15,
                 *       "page": 1,
                 *       "filter_value": "awa",
                 *       "order": "desc",
                 *       "status": "open",
                 *       "user_id": 7,
                 *       "from": "2026-11-01",
                 *       "to": "2026-11-30"
                 *     }
                 */
                "application/json": {
                    /** @example awa */
                    filter_value?: string;
                    /**
                     * Format: date
                     * @example 2026-11-01
                     */
                    from?: string;
                    /**
                     * @description `asc`: oldest first.
                     * @example desc
                     * @enum {string}
                     */
                    order?: "asc" | "desc";
                    /** @example 1 */
                    page?: number;
                    /** @example 15 */
                    pageItems?: number;
                    /** @enum {string} */
                    status?: "open" | "resolved" | "rejected";
                    /**
                     * Format: date
                     * @example 2026-11-30
                     */
                    to?: string;
                    /** @example 7 */
                    user_id?: number;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 403 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": {
                     *         "current_page": 1,
                     *         "data": [
                     *           {
                     *             "id": 12,
                     *             "user_id": 7,
                     *             "reason": "spam",
                     *             "details": "He asked me to pay outside of the app.",
                     *             "room_uuid": "3f1d2a60-7c5b-5e0a-9a53-0f6a1c2b7d11",
                     *             "identifier": "0199f2c4-8a51-7c3e-b1d0-5a2f7e9c4410",
                     *             "status": "open",
                     *             "created_at": "2026-11-20T21:04:06.593904Z",
                     *             "updated_at": "2026-11-20T21:04:06.593904Z",
                     *             "reporter": {
                     *               "id": 12,
                     *               "name": "Awa Diallo"
                     *             },
                     *             "user": {
                     *               "id": 12,
                     *               "name": "Awa Diallo"
                     *             },
                     *             "note": "Warned by mail."
                     *           }
                     *         ],
                     *         "first_page_url": "https://api.example.com/api/paymentsall?page=1",
                     *         "from": 1,
                     *         "last_page": 3,
                     *         "last_page_url": "https://api.example.com/api/paymentsall?page=3",
                     *         "links": [
                     *           {
                     *             "url": "https://api.example.com/api/paymentsall?page=2",
                     *             "label": "1",
                     *             "active": true
                     *           }
                     *         ],
                     *         "next_page_url": "https://api.example.com/api/paymentsall?page=2",
                     *         "path": "https://api.example.com/api/paymentsall",
                     *         "per_page": 15,
                     *         "prev_page_url": "https://api.example.com/api/paymentsall?page=1",
                     *         "to": 15,
                     *         "total": 38
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            /** @example 1 */
                            current_page: number;
                            data: components["schemas"]["MessagingAdminReport"][];
                            /** @example https://api.example.com/api/paymentsall?page=1 */
                            first_page_url: string;
                            /** @example 1 */
                            from: number | null;
                            /** @example 3 */
                            last_page: number;
                            /** @example https://api.example.com/api/paymentsall?page=3 */
                            last_page_url: string;
                            links: {
                                /** @example true */
                                active: boolean;
                                /** @example 1 */
                                label: string;
                                /** @example https://api.example.com/api/paymentsall?page=2 */
                                url: string | null;
                            }[];
                            /** @example https://api.example.com/api/paymentsall?page=2 */
                            next_page_url: string | null;
                            /** @example https://api.example.com/api/paymentsall */
                            path: string;
                            /** @example 15 */
                            per_page: number;
                            /** @example https://api.example.com/api/paymentsall?page=1 */
                            prev_page_url: string | null;
                            /** @example 15 */
                            to: number | null;
                            /** @example 38 */
                            total: number;
                        };
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"];
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    putAdminReviewsId: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "hidden": true
                 *     }
                 */
                "application/json": {
                    /** @example true */
                    hidden: boolean;
                    /** @example It insults the teacher. */
                    reason?: string;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 403, 404 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": {
                     *         "id": 12,
                     *         "identifier": "0199f2c4-8a51-7c3e-b1d0-5a2f7e9c4410",
                     *         "teacher_id": 7,
                     *         "student_id": 12,
                     *         "student_name": "Awa Diallo",
                     *         "rating": 5,
                     *         "comment": "She explains well.",
                     *         "reply": "Thank you!",
                     *         "hidden": false,
                     *         "created_at": "2026-11-20T21:04:06.593904Z",
                     *         "updated_at": "2026-11-20T21:04:06.593904Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["CallsReview"];
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"] | components["schemas"]["NotFound"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postAdminReviewsall: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "pageItems": 15,
                 *       "page": 1,
                 *       "filter_value": "awa",
                 *       "order": "desc",
                 *       "hidden": false,
                 *       "rating": 1,
                 *       "user_id": 12,
                 *       "from": "2026-11-01",
                 *       "to": "2026-11-30"
                 *     }
                 */
                "application/json": {
                    /** @example awa */
                    filter_value?: string;
                    /**
                     * Format: date
                     * @example 2026-11-01
                     */
                    from?: string;
                    /** @example false */
                    hidden?: boolean;
                    /**
                     * @description `asc`: oldest first.
                     * @example desc
                     * @enum {string}
                     */
                    order?: "asc" | "desc";
                    /** @example 1 */
                    page?: number;
                    /** @example 15 */
                    pageItems?: number;
                    /** @example 1 */
                    rating?: number;
                    /**
                     * Format: date
                     * @example 2026-11-30
                     */
                    to?: string;
                    /** @example 12 */
                    user_id?: number;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 403 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": {
                     *         "current_page": 1,
                     *         "data": [
                     *           {
                     *             "id": 12,
                     *             "identifier": "0199f2c4-8a51-7c3e-b1d0-5a2f7e9c4410",
                     *             "teacher_id": 7,
                     *             "student_id": 12,
                     *             "student_name": "Awa Diallo",
                     *             "rating": 5,
                     *             "comment": "She explains well.",
                     *             "reply": "Thank you!",
                     *             "hidden": false,
                     *             "created_at": "2026-11-20T21:04:06.593904Z",
                     *             "updated_at": "2026-11-20T21:04:06.593904Z"
                     *           }
                     *         ],
                     *         "first_page_url": "https://api.example.com/api/paymentsall?page=1",
                     *         "from": 1,
                     *         "last_page": 3,
                     *         "last_page_url": "https://api.example.com/api/paymentsall?page=3",
                     *         "links": [
                     *           {
                     *             "url": "https://api.example.com/api/paymentsall?page=2",
                     *             "label": "1",
                     *             "active": true
                     *           }
                     *         ],
                     *         "next_page_url": "https://api.example.com/api/paymentsall?page=2",
                     *         "path": "https://api.example.com/api/paymentsall",
                     *         "per_page": 15,
                     *         "prev_page_url": "https://api.example.com/api/paymentsall?page=1",
                     *         "to": 15,
                     *         "total": 38
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            /** @example 1 */
                            current_page: number;
                            data: components["schemas"]["CallsReview"][];
                            /** @example https://api.example.com/api/paymentsall?page=1 */
                            first_page_url: string;
                            /** @example 1 */
                            from: number | null;
                            /** @example 3 */
                            last_page: number;
                            /** @example https://api.example.com/api/paymentsall?page=3 */
                            last_page_url: string;
                            links: {
                                /** @example true */
                                active: boolean;
                                /** @example 1 */
                                label: string;
                                /** @example https://api.example.com/api/paymentsall?page=2 */
                                url: string | null;
                            }[];
                            /** @example https://api.example.com/api/paymentsall?page=2 */
                            next_page_url: string | null;
                            /** @example https://api.example.com/api/paymentsall */
                            path: string;
                            /** @example 15 */
                            per_page: number;
                            /** @example https://api.example.com/api/paymentsall?page=1 */
                            prev_page_url: string | null;
                            /** @example 15 */
                            to: number | null;
                            /** @example 38 */
                            total: number;
                        };
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"];
                };
            };
            422: components["responses"]["Invalid"];
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
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 403 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": [
                     *         {
                     *           "uuid": "3f1d2a60-7c5b-5e0a-9a53-0f6a1c2b7d11",
                     *           "user": {
                     *             "id": 12,
                     *             "name": "Awa Diallo",
                     *             "email": "awa@example.com",
                     *             "phone_number": "+22890112233"
                     *           },
                     *           "last_message": {
                     *             "id": 12,
                     *             "room_uuid": "3f1d2a60-7c5b-5e0a-9a53-0f6a1c2b7d11",
                     *             "sender_id": 12,
                     *             "message": "Bonjour",
                     *             "time": "5 minutes ago",
                     *             "status": "unread",
                     *             "type": "message",
                     *             "message_link": "https://files.example.com/exercise.pdf",
                     *             "created_at": "2026-11-20T21:04:06.593904Z",
                     *             "updated_at": "2026-11-20T21:04:06.593904Z"
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["MessagingSupportRoomItem"][];
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"];
                };
            };
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
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path: {
                uuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 403, 404 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": {
                     *         "uuid": "3f1d2a60-7c5b-5e0a-9a53-0f6a1c2b7d11",
                     *         "user_id": 12,
                     *         "last_message_at": "2026-11-20T21:04:06.593904Z",
                     *         "created_at": "2026-11-20T21:04:06.593904Z",
                     *         "updated_at": "2026-11-20T21:04:06.593904Z",
                     *         "messages": [
                     *           {
                     *             "id": 12,
                     *             "room_uuid": "3f1d2a60-7c5b-5e0a-9a53-0f6a1c2b7d11",
                     *             "sender_id": 12,
                     *             "message": "Bonjour",
                     *             "time": "5 minutes ago",
                     *             "status": "unread",
                     *             "type": "message",
                     *             "message_link": "https://files.example.com/exercise.pdf",
                     *             "created_at": "2026-11-20T21:04:06.593904Z",
                     *             "updated_at": "2026-11-20T21:04:06.593904Z"
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["MessagingSupportRoom"];
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"] | components["schemas"]["NotFound"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postAdminRoomsUuidFiles: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path: {
                uuid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "file": "the bytes of the file"
                 *     }
                 */
                "multipart/form-data": {
                    /**
                     * Format: binary
                     * @example the bytes of the file
                     */
                    file: string;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 403, 404, 409 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": {
                     *         "id": 77,
                     *         "url": "https://api.example.com/api/files/Zx8vQmJ2kR5tY7wLp0aBcDeFgHiJkLmN",
                     *         "name": "exercise.png",
                     *         "type": "image",
                     *         "content_type": "image/png",
                     *         "size": 48213,
                     *         "width": 1024,
                     *         "height": 768,
                     *         "created_at": "2026-11-20T21:04:06.593904Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["MessagingFile"];
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"] | components["schemas"]["NotFound"] | components["schemas"]["Conflict"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            409: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Conflict"];
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postAdminRoomsUuidMessages: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your own for this one intention, at most 255 characters. For 24 hours a repeat with the same key and body gets the first answer, with the header `Idempotent-Replayed: true`, and nothing happens twice. With another body it is a 422; while the first request still runs it is a 409. */
                "Idempotency-Key"?: string;
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path: {
                uuid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "message": "Bonjour",
                 *       "type": "message"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description The app's own id of this message. A repeat with the same id returns the first message and sends nothing.
                     * @example b7c1f0de-5521
                     */
                    client_message_id?: string;
                    /** @example Bonjour */
                    message?: string;
                    /** @example https://files.example.com/exercise.pdf */
                    message_link?: string;
                    /**
                     * @default message
                     * @enum {string}
                     */
                    type?: "message" | "image" | "audio" | "video" | "file";
                } & ({
                    /** @example Bonjour */
                    message: string;
                } | {
                    /** @example https://files.example.com/exercise.pdf */
                    message_link: string;
                });
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 403, 404, 409 */
            200: {
                headers: {
                    /** @description This is the stored answer of an earlier request with the same `Idempotency-Key`. */
                    "Idempotent-Replayed"?: "true";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": {
                     *         "id": 12,
                     *         "room_uuid": "3f1d2a60-7c5b-5e0a-9a53-0f6a1c2b7d11",
                     *         "sender_id": 12,
                     *         "message": "Bonjour",
                     *         "time": "5 minutes ago",
                     *         "status": "unread",
                     *         "type": "message",
                     *         "message_link": "https://files.example.com/exercise.pdf",
                     *         "created_at": "2026-11-20T21:04:06.593904Z",
                     *         "updated_at": "2026-11-20T21:04:06.593904Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["MessagingMessage"];
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"] | components["schemas"]["NotFound"] | components["schemas"]["Conflict"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            409: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Conflict"];
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postAdminServices: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "VIDEO",
                 *       "iterator": 60,
                 *       "base_cost": 100,
                 *       "iterator_cost": 50
                 *     }
                 */
                "application/json": {
                    /** @example 100 */
                    base_cost: number;
                    /** @example 60 */
                    iterator: number;
                    /** @example 50 */
                    iterator_cost: number;
                    /** @example VIDEO */
                    name: string;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 403 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": {
                     *         "id": 12,
                     *         "name": "VIDEO",
                     *         "iterator": "60",
                     *         "base_cost": "100",
                     *         "iterator_cost": "50",
                     *         "created_at": "2026-11-20T21:04:06.593904Z",
                     *         "updated_at": "2026-11-20T21:04:06.593904Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            /** @example 100 */
                            base_cost: string;
                            /**
                             * Format: date-time
                             * @example 2026-11-20T21:04:06.593904Z
                             */
                            created_at: string;
                            /** @example 12 */
                            id: number;
                            /** @example 60 */
                            iterator: string;
                            /** @example 50 */
                            iterator_cost: string;
                            /** @example VIDEO */
                            name: string;
                            /**
                             * Format: date-time
                             * @example 2026-11-20T21:04:06.593904Z
                             */
                            updated_at: string;
                        };
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"];
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    putAdminServicesId: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "name": "VIDEO",
                 *       "iterator": 60,
                 *       "base_cost": 100,
                 *       "iterator_cost": 50
                 *     }
                 */
                "application/json": {
                    /** @example 100 */
                    base_cost?: number;
                    /** @example 60 */
                    iterator?: number;
                    /** @example 50 */
                    iterator_cost?: number;
                    /** @example VIDEO */
                    name?: string;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 403, 404, 409 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": {
                     *         "id": 12,
                     *         "name": "VIDEO",
                     *         "iterator": "60",
                     *         "base_cost": "100",
                     *         "iterator_cost": "50",
                     *         "created_at": "2026-11-20T21:04:06.593904Z",
                     *         "updated_at": "2026-11-20T21:04:06.593904Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            /** @example 100 */
                            base_cost: string;
                            /**
                             * Format: date-time
                             * @example 2026-11-20T21:04:06.593904Z
                             */
                            created_at: string;
                            /** @example 12 */
                            id: number;
                            /** @example 60 */
                            iterator: string;
                            /** @example 50 */
                            iterator_cost: string;
                            /** @example VIDEO */
                            name: string;
                            /**
                             * Format: date-time
                             * @example 2026-11-20T21:04:06.593904Z
                             */
                            updated_at: string;
                        };
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"] | components["schemas"]["NotFound"] | components["schemas"]["Conflict"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            409: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Conflict"];
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    deleteAdminServicesId: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 403, 404, 409 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": {
                     *         "message": "It is done."
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            /** @example It is done. */
                            message: string;
                        };
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"] | components["schemas"]["NotFound"] | components["schemas"]["Conflict"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            409: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Conflict"];
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getAdminSettingsId: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 403, 404 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": {
                     *         "id": 12,
                     *         "name": "min_deposit",
                     *         "value": 100,
                     *         "description": "Smallest deposit, in the smallest unit of the currency",
                     *         "created_at": "2026-11-20T21:04:06.593904Z",
                     *         "updated_at": "2026-11-20T21:04:06.593904Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["IdentitySetting"];
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"] | components["schemas"]["NotFound"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    putAdminSettingsId: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "value": 100
                 *     }
                 */
                "application/json": {
                    /** @example 100 */
                    value: number;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 403, 404 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": {
                     *         "id": 12,
                     *         "name": "min_deposit",
                     *         "value": 100,
                     *         "description": "Smallest deposit, in the smallest unit of the currency",
                     *         "created_at": "2026-11-20T21:04:06.593904Z",
                     *         "updated_at": "2026-11-20T21:04:06.593904Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["IdentitySetting"];
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"] | components["schemas"]["NotFound"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postAdminSettingsall: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "pageItems": 15,
                 *       "page": 1,
                 *       "filter_value": "awa",
                 *       "order": "desc"
                 *     }
                 */
                "application/json": {
                    /** @example awa */
                    filter_value?: string;
                    /**
                     * @description `asc`: oldest first.
                     * @example desc
                     * @enum {string}
                     */
                    order?: "asc" | "desc";
                    /** @example 1 */
                    page?: number;
                    /** @example 15 */
                    pageItems?: number;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 403 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": {
                     *         "current_page": 1,
                     *         "data": [
                     *           {
                     *             "id": 12,
                     *             "name": "min_deposit",
                     *             "value": 100,
                     *             "description": "Smallest deposit, in the smallest unit of the currency",
                     *             "created_at": "2026-11-20T21:04:06.593904Z",
                     *             "updated_at": "2026-11-20T21:04:06.593904Z"
                     *           }
                     *         ],
                     *         "first_page_url": "https://api.example.com/api/paymentsall?page=1",
                     *         "from": 1,
                     *         "last_page": 3,
                     *         "last_page_url": "https://api.example.com/api/paymentsall?page=3",
                     *         "links": [
                     *           {
                     *             "url": "https://api.example.com/api/paymentsall?page=2",
                     *             "label": "1",
                     *             "active": true
                     *           }
                     *         ],
                     *         "next_page_url": "https://api.example.com/api/paymentsall?page=2",
                     *         "path": "https://api.example.com/api/paymentsall",
                     *         "per_page": 15,
                     *         "prev_page_url": "https://api.example.com/api/paymentsall?page=1",
                     *         "to": 15,
                     *         "total": 38
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            /** @example 1 */
                            current_page: number;
                            data: components["schemas"]["IdentitySetting"][];
                            /** @example https://api.example.com/api/paymentsall?page=1 */
                            first_page_url: string;
                            /** @example 1 */
                            from: number | null;
                            /** @example 3 */
                            last_page: number;
                            /** @example https://api.example.com/api/paymentsall?page=3 */
                            last_page_url: string;
                            links: {
                                /** @example true */
                                active: boolean;
                                /** @example 1 */
                                label: string;
                                /** @example https://api.example.com/api/paymentsall?page=2 */
                                url: string | null;
                            }[];
                            /** @example https://api.example.com/api/paymentsall?page=2 */
                            next_page_url: string | null;
                            /** @example https://api.example.com/api/paymentsall */
                            path: string;
                            /** @example 15 */
                            per_page: number;
                            /** @example https://api.example.com/api/paymentsall?page=1 */
                            prev_page_url: string | null;
                            /** @example 15 */
                            to: number | null;
                            /** @example 38 */
                            total: number;
                        };
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"];
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postAdminSkills: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Mathematics"
                 *     }
                 */
                "application/json": {
                    /** @example Mathematics */
                    name: string;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 403 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": {
                     *         "id": 12,
                     *         "name": "Mathematics",
                     *         "created_at": "2026-11-20T21:04:06.593904Z",
                     *         "updated_at": "2026-11-20T21:04:06.593904Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["IdentitySkill"];
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"];
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    putAdminSkillsId: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Mathematics"
                 *     }
                 */
                "application/json": {
                    /** @example Mathematics */
                    name: string;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 403, 404 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": {
                     *         "id": 12,
                     *         "name": "Mathematics",
                     *         "created_at": "2026-11-20T21:04:06.593904Z",
                     *         "updated_at": "2026-11-20T21:04:06.593904Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["IdentitySkill"];
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"] | components["schemas"]["NotFound"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    deleteAdminSkillsId: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 403, 404, 409 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": {
                     *         "message": "It is done."
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            /** @example It is done. */
                            message: string;
                        };
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"] | components["schemas"]["NotFound"] | components["schemas"]["Conflict"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            409: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Conflict"];
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getAdminStats: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 403 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": {
                     *         "users": 1276,
                     *         "students": 1180,
                     *         "teachers": 96,
                     *         "admins": 3,
                     *         "deposits": {
                     *           "count": 42,
                     *           "amount": 5000,
                     *           "by_status": {
                     *             "initiated": 8,
                     *             "pending": 8,
                     *             "success": 8,
                     *             "failed": 8,
                     *             "canceled": 8
                     *           }
                     *         },
                     *         "withdrawals": {
                     *           "count": 42,
                     *           "amount": 5000,
                     *           "by_status": {
                     *             "initiated": 8,
                     *             "pending": 8,
                     *             "success": 8,
                     *             "failed": 8,
                     *             "canceled": 8
                     *           }
                     *         },
                     *         "calls": {
                     *           "count": 42,
                     *           "active": 3,
                     *           "seconds": 7260,
                     *           "revenue": 12500,
                     *           "commission": 1250
                     *         },
                     *         "rooms": 64,
                     *         "messages": 1250,
                     *         "as_of": "2026-11-20T21:04:06.593904Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            /** @example 3 */
                            admins: number;
                            /**
                             * Format: date-time
                             * @example 2026-11-20T21:04:06.593904Z
                             */
                            as_of: string;
                            calls: {
                                /** @example 3 */
                                active: number;
                                /** @example 1250 */
                                commission: number;
                                /** @example 42 */
                                count: number;
                                /** @example 12500 */
                                revenue: number;
                                /** @example 7260 */
                                seconds: number;
                            };
                            deposits: {
                                /** @example 5000 */
                                amount: number;
                                by_status: {
                                    /** @example 8 */
                                    canceled: number;
                                    /** @example 8 */
                                    failed: number;
                                    /** @example 8 */
                                    initiated: number;
                                    /** @example 8 */
                                    pending: number;
                                    /** @example 8 */
                                    success: number;
                                };
                                /** @example 42 */
                                count: number;
                            };
                            /** @example 1250 */
                            messages: number;
                            /** @example 64 */
                            rooms: number;
                            /** @example 1180 */
                            students: number;
                            /** @example 96 */
                            teachers: number;
                            /** @example 1276 */
                            users: number;
                            withdrawals: {
                                /** @example 5000 */
                                amount: number;
                                by_status: {
                                    /** @example 8 */
                                    canceled: number;
                                    /** @example 8 */
                                    failed: number;
                                    /** @example 8 */
                                    initiated: number;
                                    /** @example 8 */
                                    pending: number;
                                    /** @example 8 */
                                    success: number;
                                };
                                /** @example 42 */
                                count: number;
                            };
                        };
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"];
                };
            };
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
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 403 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": [
                     *         {
                     *           "date": "2026-11-20",
                     *           "new_students": 14,
                     *           "new_teachers": 2,
                     *           "deposits": 5000,
                     *           "withdrawals": 5000,
                     *           "charged": 5000,
                     *           "commission": 500,
                     *           "refunded": 0,
                     *           "calls": 42,
                     *           "minutes": 730,
                     *           "messages": 1250,
                     *           "bookings": 25,
                     *           "confirmed_bookings": 21,
                     *           "missed_bookings": 1,
                     *           "reviews": 18,
                     *           "rating": 4.67
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        data: {
                            /**
                             * @description Booked lessons.
                             * @example 25
                             */
                            bookings: number;
                            /**
                             * @description Accepted calls.
                             * @example 42
                             */
                            calls: number;
                            /**
                             * @description Charged for calls, before refunds.
                             * @example 5000
                             */
                            charged: number;
                            /**
                             * @description The platform's share of it, less refunds.
                             * @example 500
                             */
                            commission: number;
                            /**
                             * @description Booked lessons that are confirmed or took place.
                             * @example 21
                             */
                            confirmed_bookings: number;
                            /**
                             * Format: date
                             * @example 2026-11-20
                             */
                            date: string;
                            /**
                             * @description Money paid in, less reversals.
                             * @example 5000
                             */
                            deposits: number;
                            /** @example 1250 */
                            messages: number;
                            /**
                             * @description Whole minutes of the ended ones among these calls.
                             * @example 730
                             */
                            minutes: number;
                            /**
                             * @description Booked lessons that nobody attended.
                             * @example 1
                             */
                            missed_bookings: number;
                            /** @example 14 */
                            new_students: number;
                            /** @example 2 */
                            new_teachers: number;
                            /**
                             * @description Mean of these reviews, with two decimals; 0 without reviews.
                             * @example 4.67
                             */
                            rating: number;
                            /** @example 0 */
                            refunded: number;
                            /**
                             * @description Reviews, without hidden ones.
                             * @example 18
                             */
                            reviews: number;
                            /**
                             * @description Money paid out, less reversals.
                             * @example 5000
                             */
                            withdrawals: number;
                        }[];
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"];
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getAdminUsersId: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 403, 404 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": {
                     *         "id": 12,
                     *         "name": "Awa Diallo",
                     *         "email": "awa@example.com",
                     *         "phone_number": "+22890112233",
                     *         "platform": "student",
                     *         "gauth_type": "email",
                     *         "solde": 4800,
                     *         "photo": "https://api.example.com/api/assets/avatar.png",
                     *         "address": "12 rue des Cocotiers",
                     *         "city": "Lomé",
                     *         "country": "Togo",
                     *         "about_me": "I prepare pupils for the baccalauréat",
                     *         "status": "active",
                     *         "level_study": "Terminale",
                     *         "subjects_interest": "Algebra",
                     *         "plan_id": 1,
                     *         "domains": "Mathematics, Physics",
                     *         "experience": 4,
                     *         "availability": "Weekdays after 5 pm",
                     *         "bio": "Teaches mathematics with patience",
                     *         "verified": "0",
                     *         "created_at": "2026-11-20T21:04:06.593904Z",
                     *         "updated_at": "2026-11-20T21:04:06.593904Z",
                     *         "banned": {
                     *           "by": {
                     *             "id": 1,
                     *             "name": "Ada Mensah"
                     *           },
                     *           "at": "2026-11-20T21:04:06.593904Z",
                     *           "reason": "Asked students to pay outside of the app."
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            /** @example I prepare pupils for the baccalauréat */
                            about_me: string;
                            /** @example 12 rue des Cocotiers */
                            address: string;
                            /** @example Weekdays after 5 pm */
                            availability: string;
                            banned: {
                                /**
                                 * Format: date-time
                                 * @example 2026-11-20T21:04:06.593904Z
                                 */
                                at: string;
                                by: {
                                    /** @example 1 */
                                    id: number;
                                    /** @example Ada Mensah */
                                    name: string;
                                };
                                /** @example Asked students to pay outside of the app. */
                                reason: string;
                            } | null;
                            /** @example Teaches mathematics with patience */
                            bio: string | null;
                            /** @example Lomé */
                            city: string;
                            /** @example Togo */
                            country: string;
                            /**
                             * Format: date-time
                             * @example 2026-11-20T21:04:06.593904Z
                             */
                            created_at: string;
                            /** @example Mathematics, Physics */
                            domains: string;
                            /** @example awa@example.com */
                            email: string;
                            /** @example 4 */
                            experience: number;
                            /** @enum {string} */
                            gauth_type: "email" | "google" | "facebook" | "apple" | "phone_number";
                            /** @example 12 */
                            id: number;
                            /** @example Terminale */
                            level_study: string | null;
                            /** @example Awa Diallo */
                            name: string;
                            /** @example +22890112233 */
                            phone_number: string;
                            /** @example https://api.example.com/api/assets/avatar.png */
                            photo: string;
                            /** @example 1 */
                            plan_id: number | null;
                            /** @enum {string} */
                            platform: "student" | "teacher";
                            /** @example 4800 */
                            solde: number;
                            /** @enum {string} */
                            status: "active" | "banned";
                            /** @example Algebra */
                            subjects_interest: string;
                            /**
                             * Format: date-time
                             * @example 2026-11-20T21:04:06.593904Z
                             */
                            updated_at: string;
                            /** @enum {string} */
                            verified: "0" | "1";
                        };
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"] | components["schemas"]["NotFound"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    putAdminUsersId: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "status": "active",
                 *       "verified": true,
                 *       "reason": "Asked students to pay outside of the app."
                 *     }
                 */
                "application/json": {
                    /** @example Asked students to pay outside of the app. */
                    reason?: string;
                    /** @enum {string} */
                    status?: "active" | "banned";
                    /** @example true */
                    verified?: boolean;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 403, 404 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": {
                     *         "id": 12,
                     *         "name": "Awa Diallo",
                     *         "email": "awa@example.com",
                     *         "phone_number": "+22890112233",
                     *         "platform": "student",
                     *         "gauth_type": "email",
                     *         "solde": 4800,
                     *         "photo": "https://api.example.com/api/assets/avatar.png",
                     *         "address": "12 rue des Cocotiers",
                     *         "city": "Lomé",
                     *         "country": "Togo",
                     *         "about_me": "I prepare pupils for the baccalauréat",
                     *         "status": "active",
                     *         "level_study": "Terminale",
                     *         "subjects_interest": "Algebra",
                     *         "plan_id": 1,
                     *         "domains": "Mathematics, Physics",
                     *         "experience": 4,
                     *         "availability": "Weekdays after 5 pm",
                     *         "bio": "Teaches mathematics with patience",
                     *         "verified": "0",
                     *         "created_at": "2026-11-20T21:04:06.593904Z",
                     *         "updated_at": "2026-11-20T21:04:06.593904Z",
                     *         "banned": {
                     *           "by": {
                     *             "id": 1,
                     *             "name": "Ada Mensah"
                     *           },
                     *           "at": "2026-11-20T21:04:06.593904Z",
                     *           "reason": "Asked students to pay outside of the app."
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            /** @example I prepare pupils for the baccalauréat */
                            about_me: string;
                            /** @example 12 rue des Cocotiers */
                            address: string;
                            /** @example Weekdays after 5 pm */
                            availability: string;
                            banned: {
                                /**
                                 * Format: date-time
                                 * @example 2026-11-20T21:04:06.593904Z
                                 */
                                at: string;
                                by: {
                                    /** @example 1 */
                                    id: number;
                                    /** @example Ada Mensah */
                                    name: string;
                                };
                                /** @example Asked students to pay outside of the app. */
                                reason: string;
                            } | null;
                            /** @example Teaches mathematics with patience */
                            bio: string | null;
                            /** @example Lomé */
                            city: string;
                            /** @example Togo */
                            country: string;
                            /**
                             * Format: date-time
                             * @example 2026-11-20T21:04:06.593904Z
                             */
                            created_at: string;
                            /** @example Mathematics, Physics */
                            domains: string;
                            /** @example awa@example.com */
                            email: string;
                            /** @example 4 */
                            experience: number;
                            /** @enum {string} */
                            gauth_type: "email" | "google" | "facebook" | "apple" | "phone_number";
                            /** @example 12 */
                            id: number;
                            /** @example Terminale */
                            level_study: string | null;
                            /** @example Awa Diallo */
                            name: string;
                            /** @example +22890112233 */
                            phone_number: string;
                            /** @example https://api.example.com/api/assets/avatar.png */
                            photo: string;
                            /** @example 1 */
                            plan_id: number | null;
                            /** @enum {string} */
                            platform: "student" | "teacher";
                            /** @example 4800 */
                            solde: number;
                            /** @enum {string} */
                            status: "active" | "banned";
                            /** @example Algebra */
                            subjects_interest: string;
                            /**
                             * Format: date-time
                             * @example 2026-11-20T21:04:06.593904Z
                             */
                            updated_at: string;
                            /** @enum {string} */
                            verified: "0" | "1";
                        };
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"] | components["schemas"]["NotFound"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getAdminUsersIdWallet: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 403, 404 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": {
                     *         "balance": 5000,
                     *         "available": 4800,
                     *         "held": 200,
                     *         "currency": "XOF"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            /** @example 4800 */
                            available: number;
                            /** @example 5000 */
                            balance: number;
                            /** @example XOF */
                            currency: string;
                            /** @example 200 */
                            held: number;
                        };
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"] | components["schemas"]["NotFound"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postAdminUsersall: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "pageItems": 15,
                 *       "page": 1,
                 *       "filter_value": "awa",
                 *       "order": "desc",
                 *       "status": "active",
                 *       "platform": "student",
                 *       "verified": true,
                 *       "from": "2026-11-01",
                 *       "to": "2026-11-30"
                 *     }
                 */
                "application/json": {
                    /** @example awa */
                    filter_value?: string;
                    /**
                     * Format: date
                     * @example 2026-11-01
                     */
                    from?: string;
                    /**
                     * @description `asc`: oldest first.
                     * @example desc
                     * @enum {string}
                     */
                    order?: "asc" | "desc";
                    /** @example 1 */
                    page?: number;
                    /** @example 15 */
                    pageItems?: number;
                    /** @enum {string} */
                    platform?: "student" | "teacher";
                    /** @enum {string} */
                    status?: "active" | "banned";
                    /**
                     * Format: date
                     * @example 2026-11-30
                     */
                    to?: string;
                    /** @example true */
                    verified?: boolean;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 403 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": {
                     *         "current_page": 1,
                     *         "data": [
                     *           {
                     *             "id": 12,
                     *             "name": "Awa Diallo",
                     *             "email": "awa@example.com",
                     *             "phone_number": "+22890112233",
                     *             "platform": "student",
                     *             "gauth_type": "email",
                     *             "solde": 4800,
                     *             "photo": "https://api.example.com/api/assets/avatar.png",
                     *             "address": "12 rue des Cocotiers",
                     *             "city": "Lomé",
                     *             "country": "Togo",
                     *             "about_me": "I prepare pupils for the baccalauréat",
                     *             "status": "active",
                     *             "level_study": "Terminale",
                     *             "subjects_interest": "Algebra",
                     *             "plan_id": 1,
                     *             "domains": "Mathematics, Physics",
                     *             "experience": 4,
                     *             "availability": "Weekdays after 5 pm",
                     *             "bio": "Teaches mathematics with patience",
                     *             "verified": "0",
                     *             "created_at": "2026-11-20T21:04:06.593904Z",
                     *             "updated_at": "2026-11-20T21:04:06.593904Z"
                     *           }
                     *         ],
                     *         "first_page_url": "https://api.example.com/api/paymentsall?page=1",
                     *         "from": 1,
                     *         "last_page": 3,
                     *         "last_page_url": "https://api.example.com/api/paymentsall?page=3",
                     *         "links": [
                     *           {
                     *             "url": "https://api.example.com/api/paymentsall?page=2",
                     *             "label": "1",
                     *             "active": true
                     *           }
                     *         ],
                     *         "next_page_url": "https://api.example.com/api/paymentsall?page=2",
                     *         "path": "https://api.example.com/api/paymentsall",
                     *         "per_page": 15,
                     *         "prev_page_url": "https://api.example.com/api/paymentsall?page=1",
                     *         "to": 15,
                     *         "total": 38
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            /** @example 1 */
                            current_page: number;
                            data: components["schemas"]["IdentityUser"][];
                            /** @example https://api.example.com/api/paymentsall?page=1 */
                            first_page_url: string;
                            /** @example 1 */
                            from: number | null;
                            /** @example 3 */
                            last_page: number;
                            /** @example https://api.example.com/api/paymentsall?page=3 */
                            last_page_url: string;
                            links: {
                                /** @example true */
                                active: boolean;
                                /** @example 1 */
                                label: string;
                                /** @example https://api.example.com/api/paymentsall?page=2 */
                                url: string | null;
                            }[];
                            /** @example https://api.example.com/api/paymentsall?page=2 */
                            next_page_url: string | null;
                            /** @example https://api.example.com/api/paymentsall */
                            path: string;
                            /** @example 15 */
                            per_page: number;
                            /** @example https://api.example.com/api/paymentsall?page=1 */
                            prev_page_url: string | null;
                            /** @example 15 */
                            to: number | null;
                            /** @example 38 */
                            total: number;
                        };
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"];
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getAdminWithdrawalsId: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 403, 404 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": {
                     *         "id": 12,
                     *         "user_id": 12,
                     *         "amount": 5000,
                     *         "currency": "XOF",
                     *         "status": "success",
                     *         "method": "mobile_money",
                     *         "account": "+22890445566",
                     *         "ref": "BANK-77",
                     *         "details": "Paid by transfer",
                     *         "created_at": "2026-11-20T21:04:06.593904Z",
                     *         "updated_at": "2026-11-20T21:04:06.593904Z",
                     *         "user": {
                     *           "id": 12,
                     *           "name": "Awa Diallo",
                     *           "email": "awa@example.com",
                     *           "phone_number": "+22890112233"
                     *         },
                     *         "claimed_by": {
                     *           "id": 3,
                     *           "name": "Ada Mensah"
                     *         },
                     *         "claimed_at": "2026-11-20T21:04:06.593904Z",
                     *         "decided_by": {
                     *           "id": 3,
                     *           "name": "Ada Mensah"
                     *         },
                     *         "decided_at": "2026-11-20T21:04:06.593904Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            /** @example +22890445566 */
                            account: string | null;
                            /** @example 5000 */
                            amount: number;
                            claimed_at: string | null;
                            claimed_by: {
                                /** @example 3 */
                                id: number;
                                /** @example Ada Mensah */
                                name: string;
                            } | null;
                            /**
                             * Format: date-time
                             * @example 2026-11-20T21:04:06.593904Z
                             */
                            created_at: string;
                            /** @example XOF */
                            currency: string;
                            decided_at: string | null;
                            decided_by: {
                                /** @example 3 */
                                id: number;
                                /** @example Ada Mensah */
                                name: string;
                            } | null;
                            /** @example Paid by transfer */
                            details: string | null;
                            /** @example 12 */
                            id: number;
                            /** @example mobile_money */
                            method: string | null;
                            /** @example BANK-77 */
                            ref: string | null;
                            /**
                             * @example success
                             * @enum {string}
                             */
                            status: "initiated" | "pending" | "success" | "failed" | "canceled";
                            /**
                             * Format: date-time
                             * @example 2026-11-20T21:04:06.593904Z
                             */
                            updated_at: string;
                            user: {
                                /** @example awa@example.com */
                                email: string;
                                /** @example 12 */
                                id: number;
                                /** @example Awa Diallo */
                                name: string;
                                /** @example +22890112233 */
                                phone_number: string;
                            };
                            /** @example 12 */
                            user_id: number;
                        };
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"] | components["schemas"]["NotFound"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    putAdminWithdrawalsId: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "status": "success"
                 *     }
                 */
                "application/json": {
                    /** @example Paid by transfer */
                    details?: string;
                    /**
                     * @example pending
                     * @enum {string}
                     */
                    expected_status?: "initiated" | "pending" | "success" | "failed" | "canceled";
                    /** @example BANK-77 */
                    ref?: string;
                    /**
                     * @example success
                     * @enum {string}
                     */
                    status: "initiated" | "pending" | "success" | "failed" | "canceled";
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 403, 404, 409 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": {
                     *         "id": 12,
                     *         "user_id": 12,
                     *         "amount": 5000,
                     *         "currency": "XOF",
                     *         "status": "success",
                     *         "method": "mobile_money",
                     *         "account": "+22890445566",
                     *         "ref": "BANK-77",
                     *         "details": "Paid by transfer",
                     *         "created_at": "2026-11-20T21:04:06.593904Z",
                     *         "updated_at": "2026-11-20T21:04:06.593904Z",
                     *         "user": {
                     *           "id": 12,
                     *           "name": "Awa Diallo",
                     *           "email": "awa@example.com",
                     *           "phone_number": "+22890112233"
                     *         },
                     *         "claimed_by": {
                     *           "id": 3,
                     *           "name": "Ada Mensah"
                     *         },
                     *         "claimed_at": "2026-11-20T21:04:06.593904Z",
                     *         "decided_by": {
                     *           "id": 3,
                     *           "name": "Ada Mensah"
                     *         },
                     *         "decided_at": "2026-11-20T21:04:06.593904Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            /** @example +22890445566 */
                            account: string | null;
                            /** @example 5000 */
                            amount: number;
                            claimed_at: string | null;
                            claimed_by: {
                                /** @example 3 */
                                id: number;
                                /** @example Ada Mensah */
                                name: string;
                            } | null;
                            /**
                             * Format: date-time
                             * @example 2026-11-20T21:04:06.593904Z
                             */
                            created_at: string;
                            /** @example XOF */
                            currency: string;
                            decided_at: string | null;
                            decided_by: {
                                /** @example 3 */
                                id: number;
                                /** @example Ada Mensah */
                                name: string;
                            } | null;
                            /** @example Paid by transfer */
                            details: string | null;
                            /** @example 12 */
                            id: number;
                            /** @example mobile_money */
                            method: string | null;
                            /** @example BANK-77 */
                            ref: string | null;
                            /**
                             * @example success
                             * @enum {string}
                             */
                            status: "initiated" | "pending" | "success" | "failed" | "canceled";
                            /**
                             * Format: date-time
                             * @example 2026-11-20T21:04:06.593904Z
                             */
                            updated_at: string;
                            user: {
                                /** @example awa@example.com */
                                email: string;
                                /** @example 12 */
                                id: number;
                                /** @example Awa Diallo */
                                name: string;
                                /** @example +22890112233 */
                                phone_number: string;
                            };
                            /** @example 12 */
                            user_id: number;
                        };
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"] | components["schemas"]["NotFound"] | components["schemas"]["Conflict"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            409: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Conflict"];
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postAdminWithdrawalsall: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "pageItems": 15,
                 *       "page": 1,
                 *       "filter_value": "awa",
                 *       "order": "desc",
                 *       "user_id": 12,
                 *       "status": "success",
                 *       "from": "2026-11-01",
                 *       "to": "2026-11-30",
                 *       "claimed_by": "me"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description `me`, or the id of an administrator: the withdrawals that they claimed last.
                     * @example me
                     */
                    claimed_by?: "me" | number;
                    /** @example awa */
                    filter_value?: string;
                    /**
                     * Format: date
                     * @example 2026-11-01
                     */
                    from?: string;
                    /**
                     * @description `asc`: oldest first.
                     * @example desc
                     * @enum {string}
                     */
                    order?: "asc" | "desc";
                    /** @example 1 */
                    page?: number;
                    /** @example 15 */
                    pageItems?: number;
                    /**
                     * @example success
                     * @enum {string}
                     */
                    status?: "initiated" | "pending" | "success" | "failed" | "canceled";
                    /**
                     * Format: date
                     * @example 2026-11-30
                     */
                    to?: string;
                    /** @example 12 */
                    user_id?: number;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 403 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": {
                     *         "current_page": 1,
                     *         "data": [
                     *           {
                     *             "id": 12,
                     *             "user_id": 12,
                     *             "amount": 5000,
                     *             "currency": "XOF",
                     *             "status": "success",
                     *             "method": "mobile_money",
                     *             "account": "+22890445566",
                     *             "ref": "BANK-77",
                     *             "details": "Paid by transfer",
                     *             "created_at": "2026-11-20T21:04:06.593904Z",
                     *             "updated_at": "2026-11-20T21:04:06.593904Z",
                     *             "user": {
                     *               "id": 12,
                     *               "name": "Awa Diallo",
                     *               "email": "awa@example.com",
                     *               "phone_number": "+22890112233"
                     *             },
                     *             "claimed_by": {
                     *               "id": 3,
                     *               "name": "Ada Mensah"
                     *             },
                     *             "claimed_at": "2026-11-20T21:04:06.593904Z",
                     *             "decided_by": {
                     *               "id": 3,
                     *               "name": "Ada Mensah"
                     *             },
                     *             "decided_at": "2026-11-20T21:04:06.593904Z"
                     *           }
                     *         ],
                     *         "first_page_url": "https://api.example.com/api/paymentsall?page=1",
                     *         "from": 1,
                     *         "last_page": 3,
                     *         "last_page_url": "https://api.example.com/api/paymentsall?page=3",
                     *         "links": [
                     *           {
                     *             "url": "https://api.example.com/api/paymentsall?page=2",
                     *             "label": "1",
                     *             "active": true
                     *           }
                     *         ],
                     *         "next_page_url": "https://api.example.com/api/paymentsall?page=2",
                     *         "path": "https://api.example.com/api/paymentsall",
                     *         "per_page": 15,
                     *         "prev_page_url": "https://api.example.com/api/paymentsall?page=1",
                     *         "to": 15,
                     *         "total": 38
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            /** @example 1 */
                            current_page: number;
                            data: {
                                /** @example +22890445566 */
                                account: string | null;
                                /** @example 5000 */
                                amount: number;
                                claimed_at: string | null;
                                claimed_by: {
                                    /** @example 3 */
                                    id: number;
                                    /** @example Ada Mensah */
                                    name: string;
                                } | null;
                                /**
                                 * Format: date-time
                                 * @example 2026-11-20T21:04:06.593904Z
                                 */
                                created_at: string;
                                /** @example XOF */
                                currency: string;
                                decided_at: string | null;
                                decided_by: {
                                    /** @example 3 */
                                    id: number;
                                    /** @example Ada Mensah */
                                    name: string;
                                } | null;
                                /** @example Paid by transfer */
                                details: string | null;
                                /** @example 12 */
                                id: number;
                                /** @example mobile_money */
                                method: string | null;
                                /** @example BANK-77 */
                                ref: string | null;
                                /**
                                 * @example success
                                 * @enum {string}
                                 */
                                status: "initiated" | "pending" | "success" | "failed" | "canceled";
                                /**
                                 * Format: date-time
                                 * @example 2026-11-20T21:04:06.593904Z
                                 */
                                updated_at: string;
                                user: {
                                    /** @example awa@example.com */
                                    email: string;
                                    /** @example 12 */
                                    id: number;
                                    /** @example Awa Diallo */
                                    name: string;
                                    /** @example +22890112233 */
                                    phone_number: string;
                                };
                                /** @example 12 */
                                user_id: number;
                            }[];
                            /** @example https://api.example.com/api/paymentsall?page=1 */
                            first_page_url: string;
                            /** @example 1 */
                            from: number | null;
                            /** @example 3 */
                            last_page: number;
                            /** @example https://api.example.com/api/paymentsall?page=3 */
                            last_page_url: string;
                            links: {
                                /** @example true */
                                active: boolean;
                                /** @example 1 */
                                label: string;
                                /** @example https://api.example.com/api/paymentsall?page=2 */
                                url: string | null;
                            }[];
                            /** @example https://api.example.com/api/paymentsall?page=2 */
                            next_page_url: string | null;
                            /** @example https://api.example.com/api/paymentsall */
                            path: string;
                            /** @example 15 */
                            per_page: number;
                            /** @example https://api.example.com/api/paymentsall?page=1 */
                            prev_page_url: string | null;
                            /** @example 15 */
                            to: number | null;
                            /** @example 38 */
                            total: number;
                        };
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"] | components["schemas"]["SecondFactor"];
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getAssetsAvatarPng: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/png": string;
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    putAuthDevice: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "device_key": "fcm-device-registration-token"
                 *     }
                 */
                "application/json": {
                    /** @example fcm-device-registration-token */
                    device_key: string | null;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403, 404 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": {
                     *         "id": 12,
                     *         "name": "Chrome on Windows",
                     *         "address": "203.0.113.7",
                     *         "user_agent": "Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/142.0.0.0 Safari/537.36",
                     *         "push": true,
                     *         "current": true,
                     *         "last_used_at": "2026-11-20T21:04:06.593904Z",
                     *         "created_at": "2026-11-20T21:04:06.593904Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["IdentitySession"];
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"] | components["schemas"]["NotFound"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthenticated"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postAuthGetToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "awa@example.com",
                 *       "password": "a good secret",
                 *       "device_key": "fcm-device-registration-token"
                 *     }
                 */
                "application/json": {
                    /** @example fcm-device-registration-token */
                    device_key?: string;
                    /** @example fcm-device-registration-token */
                    device_token?: string;
                    /** @example awa@example.com */
                    email: string;
                    /** @example fcm-device-registration-token */
                    fcm_token?: string;
                    /** @example a good secret */
                    password: string;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403, 404 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": {
                     *         "token": "12|mQ4vJ8sT0bXyZ2aC6dE9fG1hK3nP5rU7wLoIqBtVj1c2d3e4",
                     *         "token_type": "Bearer",
                     *         "user": {
                     *           "id": 12,
                     *           "name": "Awa Diallo",
                     *           "email": "awa@example.com",
                     *           "phone_number": "+22890112233",
                     *           "platform": "student",
                     *           "gauth_type": "email",
                     *           "solde": 4800,
                     *           "photo": "https://api.example.com/api/assets/avatar.png",
                     *           "address": "12 rue des Cocotiers",
                     *           "city": "Lomé",
                     *           "country": "Togo",
                     *           "about_me": "I prepare pupils for the baccalauréat",
                     *           "status": "active",
                     *           "level_study": "Terminale",
                     *           "subjects_interest": "Algebra",
                     *           "plan_id": 1,
                     *           "domains": "Mathematics, Physics",
                     *           "experience": 4,
                     *           "availability": "Weekdays after 5 pm",
                     *           "bio": "Teaches mathematics with patience",
                     *           "verified": "0",
                     *           "created_at": "2026-11-20T21:04:06.593904Z",
                     *           "updated_at": "2026-11-20T21:04:06.593904Z"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            /** @example 12|mQ4vJ8sT0bXyZ2aC6dE9fG1hK3nP5rU7wLoIqBtVj1c2d3e4 */
                            token: string;
                            /** @constant */
                            token_type: "Bearer";
                            user: components["schemas"]["IdentityUser"];
                        };
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"] | components["schemas"]["NotFound"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthenticated"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postAuthLogin: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "email": "awa@example.com",
                 *       "password": "a good secret",
                 *       "gauth_type": "email",
                 *       "platform": "student",
                 *       "device_key": "fcm-device-registration-token",
                 *       "device_name": "Awa’s phone"
                 *     }
                 */
                "application/json": {
                    /** @example fcm-device-registration-token */
                    device_key?: string;
                    /** @example Awa’s phone */
                    device_name?: string;
                    /** @example awa@example.com */
                    email?: string;
                    /** @example eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIxMDk4In0.c2lnbmF0dXJl */
                    gauth_token?: string;
                    /** @example email */
                    gauth_type?: string;
                    /** @example n-0S6_WzA2Mj */
                    nonce?: string;
                    /** @example a good secret */
                    password?: string;
                    /** @example +22890112233 */
                    phone_number?: string;
                    /** @example student */
                    platform?: string;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 404 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": {
                     *         "token": "12|mQ4vJ8sT0bXyZ2aC6dE9fG1hK3nP5rU7wLoIqBtVj1c2d3e4",
                     *         "token_type": "Bearer",
                     *         "user": {
                     *           "id": 12,
                     *           "name": "Awa Diallo",
                     *           "email": "awa@example.com",
                     *           "phone_number": "+22890112233",
                     *           "platform": "student",
                     *           "gauth_type": "email",
                     *           "solde": 4800,
                     *           "photo": "https://api.example.com/api/assets/avatar.png",
                     *           "address": "12 rue des Cocotiers",
                     *           "city": "Lomé",
                     *           "country": "Togo",
                     *           "about_me": "I prepare pupils for the baccalauréat",
                     *           "status": "active",
                     *           "level_study": "Terminale",
                     *           "subjects_interest": "Algebra",
                     *           "plan_id": 1,
                     *           "domains": "Mathematics, Physics",
                     *           "experience": 4,
                     *           "availability": "Weekdays after 5 pm",
                     *           "bio": "Teaches mathematics with patience",
                     *           "verified": "0",
                     *           "created_at": "2026-11-20T21:04:06.593904Z",
                     *           "updated_at": "2026-11-20T21:04:06.593904Z"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            /** @example 12|mQ4vJ8sT0bXyZ2aC6dE9fG1hK3nP5rU7wLoIqBtVj1c2d3e4 */
                            token: string;
                            /** @constant */
                            token_type: "Bearer";
                            user: components["schemas"]["IdentityUser"];
                        };
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["NotFound"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postAuthLoginSendCode: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "phone_number": "+22890112233"
                 *     }
                 */
                "application/json": {
                    /** @example +22890112233 */
                    phone_number: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": {
                     *         "message": "It is done."
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            /** @example It is done. */
                            message: string;
                        };
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    };
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postAuthLogout: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": {
                     *         "message": "It is done."
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            /** @example It is done. */
                            message: string;
                        };
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthenticated"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postAuthRegister: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Awa Diallo",
                 *       "email": "awa@example.com",
                 *       "phone_number": "+22890112233",
                 *       "password": "a good secret",
                 *       "platform": "student",
                 *       "gauth_type": "email",
                 *       "domains": [
                 *         1,
                 *         2
                 *       ],
                 *       "experience": 4,
                 *       "bio": "Teaches mathematics with patience"
                 *     }
                 */
                "application/json": {
                    /** @example I prepare pupils for the baccalauréat */
                    about_me?: string;
                    /** @example 12 rue des Cocotiers */
                    address?: string;
                    /** @example Weekdays after 5 pm */
                    availability?: string;
                    /** @example Teaches mathematics with patience */
                    bio?: string;
                    /** @example Lomé */
                    city?: string;
                    /** @example Togo */
                    country?: string;
                    /**
                     * @example [
                     *       1,
                     *       2
                     *     ]
                     */
                    domains: number[];
                    /**
                     * Format: email
                     * @example awa@example.com
                     */
                    email: string;
                    /** @example 4 */
                    experience?: number;
                    /** @example eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIxMDk4In0.c2lnbmF0dXJl */
                    gauth_token?: string;
                    /** @enum {string} */
                    gauth_type: "email" | "google" | "facebook" | "apple" | "phone_number";
                    /** @example Terminale */
                    level_study?: string;
                    /** @example Awa Diallo */
                    name: string;
                    /** @example n-0S6_WzA2Mj */
                    nonce?: string;
                    /** @example a good secret */
                    password?: string;
                    /** @example +22890112233 */
                    phone_number: string;
                    /** @example https://api.example.com/api/assets/avatar.png */
                    photo?: string;
                    /** @example 1 */
                    plan?: number;
                    /** @enum {string} */
                    platform: "student" | "teacher";
                    /** @example Algebra */
                    subjects_interest?: string;
                    /** @example true */
                    verified?: boolean;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": {
                     *         "message": "It is done.",
                     *         "user": {
                     *           "id": 12,
                     *           "name": "Awa Diallo",
                     *           "email": "awa@example.com",
                     *           "phone_number": "+22890112233",
                     *           "platform": "student",
                     *           "gauth_type": "email",
                     *           "solde": 4800,
                     *           "photo": "https://api.example.com/api/assets/avatar.png",
                     *           "address": "12 rue des Cocotiers",
                     *           "city": "Lomé",
                     *           "country": "Togo",
                     *           "about_me": "I prepare pupils for the baccalauréat",
                     *           "status": "active",
                     *           "level_study": "Terminale",
                     *           "subjects_interest": "Algebra",
                     *           "plan_id": 1,
                     *           "domains": "Mathematics, Physics",
                     *           "experience": 4,
                     *           "availability": "Weekdays after 5 pm",
                     *           "bio": "Teaches mathematics with patience",
                     *           "verified": "0",
                     *           "created_at": "2026-11-20T21:04:06.593904Z",
                     *           "updated_at": "2026-11-20T21:04:06.593904Z"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            /** @example It is done. */
                            message: string;
                            user: components["schemas"]["IdentityUser"];
                        };
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    };
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postAuthRegisterSendCode: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "awa@example.com"
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: email
                     * @example awa@example.com
                     */
                    email: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": {
                     *         "message": "It is done."
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            /** @example It is done. */
                            message: string;
                        };
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    };
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postAuthRegisterVerify: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "awa@example.com",
                 *       "phone_number": "+22890112233",
                 *       "code": "493021"
                 *     }
                 */
                "application/json": {
                    /** @example 493021 */
                    code: string;
                    /** @example Awa’s phone */
                    device_name?: string;
                    /**
                     * Format: email
                     * @example awa@example.com
                     */
                    email: string;
                    /** @example +22890112233 */
                    phone_number: string;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 404 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": {
                     *         "message": "It is done.",
                     *         "token": "12|mQ4vJ8sT0bXyZ2aC6dE9fG1hK3nP5rU7wLoIqBtVj1c2d3e4",
                     *         "token_type": "Bearer",
                     *         "user": {
                     *           "id": 12,
                     *           "name": "Awa Diallo",
                     *           "email": "awa@example.com",
                     *           "phone_number": "+22890112233",
                     *           "platform": "student",
                     *           "gauth_type": "email",
                     *           "solde": 4800,
                     *           "photo": "https://api.example.com/api/assets/avatar.png",
                     *           "address": "12 rue des Cocotiers",
                     *           "city": "Lomé",
                     *           "country": "Togo",
                     *           "about_me": "I prepare pupils for the baccalauréat",
                     *           "status": "active",
                     *           "level_study": "Terminale",
                     *           "subjects_interest": "Algebra",
                     *           "plan_id": 1,
                     *           "domains": "Mathematics, Physics",
                     *           "experience": 4,
                     *           "availability": "Weekdays after 5 pm",
                     *           "bio": "Teaches mathematics with patience",
                     *           "verified": "0",
                     *           "created_at": "2026-11-20T21:04:06.593904Z",
                     *           "updated_at": "2026-11-20T21:04:06.593904Z"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            /** @example It is done. */
                            message: string;
                            /** @example 12|mQ4vJ8sT0bXyZ2aC6dE9fG1hK3nP5rU7wLoIqBtVj1c2d3e4 */
                            token: string;
                            /** @constant */
                            token_type: "Bearer";
                            user: components["schemas"]["IdentityUser"];
                        };
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["NestedNotFound"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NestedNotFound"];
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postAuthResetPassword: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "awa@example.com",
                 *       "password": "a good secret"
                 *     }
                 */
                "application/json": {
                    /** @example awa@example.com */
                    email: string;
                    /** @example a good secret */
                    password: string;
                    /** @example kT3vB0xY8mQ2 */
                    reset_token?: string;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 404 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": {
                     *         "message": "It is done."
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            /** @example It is done. */
                            message: string;
                        };
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["NotFound"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postAuthResetPasswordSendCode: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "email": "awa@example.com"
                 *     }
                 */
                "application/json": {
                    /** @example awa@example.com */
                    email?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": {
                     *         "message": "It is done."
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            /** @example It is done. */
                            message: string;
                        };
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    };
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postAuthResetPasswordVerifyCode: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "email": "awa@example.com",
                 *       "code": "493021"
                 *     }
                 */
                "application/json": {
                    /** @example 493021 */
                    code?: string;
                    /** @example awa@example.com */
                    email?: string;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 404 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": {
                     *         "message": "It is done.",
                     *         "reset_token": "kT3vB0xY8mQ2"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            /** @example It is done. */
                            message: string;
                            /** @example kT3vB0xY8mQ2 */
                            reset_token: string;
                        };
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["NotFound"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getAuthSessions: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": [
                     *         {
                     *           "id": 12,
                     *           "name": "Chrome on Windows",
                     *           "address": "203.0.113.7",
                     *           "user_agent": "Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/142.0.0.0 Safari/537.36",
                     *           "push": true,
                     *           "current": true,
                     *           "last_used_at": "2026-11-20T21:04:06.593904Z",
                     *           "created_at": "2026-11-20T21:04:06.593904Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["IdentitySession"][];
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthenticated"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    deleteAuthSessions: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": {
                     *         "message": "It is done.",
                     *         "ended": 2
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            /** @example 2 */
                            ended: number;
                            /** @example It is done. */
                            message: string;
                        };
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthenticated"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    deleteAuthSessionsId: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403, 404 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": {
                     *         "message": "It is done."
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            /** @example It is done. */
                            message: string;
                        };
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"] | components["schemas"]["NotFound"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthenticated"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getAuthTokens: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": [
                     *         {
                     *           "id": 12,
                     *           "name": "Reporting script",
                     *           "last_used_at": "2026-11-20T21:04:06.593904Z",
                     *           "created_at": "2026-11-20T21:04:06.593904Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["IdentityApiToken"][];
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthenticated"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postAuthTokens: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Reporting script"
                 *     }
                 */
                "application/json": {
                    /** @example Reporting script */
                    name: string;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403, 409 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": {
                     *         "id": 12,
                     *         "name": "Reporting script",
                     *         "last_used_at": "2026-11-20T21:04:06.593904Z",
                     *         "created_at": "2026-11-20T21:04:06.593904Z",
                     *         "token": "12|mQ4vJ8sT0bXyZ2aC6dE9fG1hK3nP5rU7wLoIqBtVj1c2d3e4"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            /**
                             * Format: date-time
                             * @example 2026-11-20T21:04:06.593904Z
                             */
                            created_at: string;
                            /** @example 12 */
                            id: number;
                            last_used_at: string | null;
                            /** @example Reporting script */
                            name: string;
                            /** @example 12|mQ4vJ8sT0bXyZ2aC6dE9fG1hK3nP5rU7wLoIqBtVj1c2d3e4 */
                            token: string;
                        };
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"] | components["schemas"]["Conflict"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthenticated"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            409: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Conflict"];
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    deleteAuthTokensId: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403, 404 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": {
                     *         "message": "It is done."
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            /** @example It is done. */
                            message: string;
                        };
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"] | components["schemas"]["NotFound"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthenticated"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
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
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": [
                     *         {
                     *           "user_id": 12,
                     *           "name": "Awa Diallo",
                     *           "photo": "https://api.example.com/api/assets/avatar.png",
                     *           "created_at": "2026-11-20T21:04:06.593904Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["MessagingBlockedUser"][];
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthenticated"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    putBlocksUserId: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path: {
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403, 404 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": {
                     *         "message": "It is done."
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            /** @example It is done. */
                            message: string;
                        };
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"] | components["schemas"]["NotFound"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthenticated"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    deleteBlocksUserId: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path: {
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403, 404 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": {
                     *         "message": "It is done."
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            /** @example It is done. */
                            message: string;
                        };
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"] | components["schemas"]["NotFound"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthenticated"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
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
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": [
                     *         {
                     *           "id": 12,
                     *           "student_id": 12,
                     *           "teacher_id": 7,
                     *           "student_name": "Awa Diallo",
                     *           "teacher_name": "Kossi Mensah",
                     *           "starts_at": "2026-11-20T21:04:06.593904Z",
                     *           "ends_at": "2026-11-20T21:04:06.593904Z",
                     *           "proposed_starts_at": null,
                     *           "call_type": "video",
                     *           "note": "Quadratic equations",
                     *           "status": "confirmed",
                     *           "created_at": "2026-11-20T21:04:06.593904Z",
                     *           "updated_at": "2026-11-20T21:04:06.593904Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["CallsBooking"][];
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthenticated"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postBookings: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your own for this one intention, at most 255 characters. For 24 hours a repeat with the same key and body gets the first answer, with the header `Idempotent-Replayed: true`, and nothing happens twice. With another body it is a 422; while the first request still runs it is a 409. */
                "Idempotency-Key"?: string;
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "teacher_id": 7,
                 *       "starts_at": "2026-11-30T09:00:00.000000Z",
                 *       "minutes": 60,
                 *       "call_type": "video"
                 *     }
                 */
                "application/json": {
                    /** @enum {string} */
                    call_type: "video" | "audio";
                    /** @example 60 */
                    minutes: number;
                    /** @example Quadratic equations */
                    note?: string;
                    /**
                     * Format: date-time
                     * @example 2026-11-30T09:00:00.000000Z
                     */
                    starts_at: string;
                    /** @example 7 */
                    teacher_id: number;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403, 409 */
            200: {
                headers: {
                    /** @description This is the stored answer of an earlier request with the same `Idempotency-Key`. */
                    "Idempotent-Replayed"?: "true";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": {
                     *         "id": 12,
                     *         "student_id": 12,
                     *         "teacher_id": 7,
                     *         "student_name": "Awa Diallo",
                     *         "teacher_name": "Kossi Mensah",
                     *         "starts_at": "2026-11-20T21:04:06.593904Z",
                     *         "ends_at": "2026-11-20T21:04:06.593904Z",
                     *         "proposed_starts_at": null,
                     *         "call_type": "video",
                     *         "note": "Quadratic equations",
                     *         "status": "confirmed",
                     *         "created_at": "2026-11-20T21:04:06.593904Z",
                     *         "updated_at": "2026-11-20T21:04:06.593904Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["CallsBooking"];
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"] | components["schemas"]["Conflict"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthenticated"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            409: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Conflict"];
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getBookingsIcs: {
        parameters: {
            query?: {
                token?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/calendar": string;
                };
            };
            /** @description Refused */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postBookingsIdCancel: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "reason": "I am ill."
                 *     }
                 */
                "application/json": {
                    /** @example I am ill. */
                    reason?: string;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403, 404, 409 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": {
                     *         "id": 12,
                     *         "student_id": 12,
                     *         "teacher_id": 7,
                     *         "student_name": "Awa Diallo",
                     *         "teacher_name": "Kossi Mensah",
                     *         "starts_at": "2026-11-20T21:04:06.593904Z",
                     *         "ends_at": "2026-11-20T21:04:06.593904Z",
                     *         "proposed_starts_at": null,
                     *         "call_type": "video",
                     *         "note": "Quadratic equations",
                     *         "status": "confirmed",
                     *         "created_at": "2026-11-20T21:04:06.593904Z",
                     *         "updated_at": "2026-11-20T21:04:06.593904Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["CallsBooking"];
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"] | components["schemas"]["NotFound"] | components["schemas"]["Conflict"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthenticated"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            409: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Conflict"];
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postBookingsIdConfirm: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "starts_at": "2026-11-30T09:00:00.000000Z"
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: date-time
                     * @example 2026-11-30T09:00:00.000000Z
                     */
                    starts_at?: string;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403, 404, 409 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": {
                     *         "id": 12,
                     *         "student_id": 12,
                     *         "teacher_id": 7,
                     *         "student_name": "Awa Diallo",
                     *         "teacher_name": "Kossi Mensah",
                     *         "starts_at": "2026-11-20T21:04:06.593904Z",
                     *         "ends_at": "2026-11-20T21:04:06.593904Z",
                     *         "proposed_starts_at": null,
                     *         "call_type": "video",
                     *         "note": "Quadratic equations",
                     *         "status": "confirmed",
                     *         "created_at": "2026-11-20T21:04:06.593904Z",
                     *         "updated_at": "2026-11-20T21:04:06.593904Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["CallsBooking"];
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"] | components["schemas"]["NotFound"] | components["schemas"]["Conflict"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthenticated"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            409: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Conflict"];
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postBookingsIdDecline: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "starts_at": "2026-11-30T09:00:00.000000Z"
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: date-time
                     * @example 2026-11-30T09:00:00.000000Z
                     */
                    starts_at?: string;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403, 404, 409 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": {
                     *         "id": 12,
                     *         "student_id": 12,
                     *         "teacher_id": 7,
                     *         "student_name": "Awa Diallo",
                     *         "teacher_name": "Kossi Mensah",
                     *         "starts_at": "2026-11-20T21:04:06.593904Z",
                     *         "ends_at": "2026-11-20T21:04:06.593904Z",
                     *         "proposed_starts_at": null,
                     *         "call_type": "video",
                     *         "note": "Quadratic equations",
                     *         "status": "confirmed",
                     *         "created_at": "2026-11-20T21:04:06.593904Z",
                     *         "updated_at": "2026-11-20T21:04:06.593904Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["CallsBooking"];
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"] | components["schemas"]["NotFound"] | components["schemas"]["Conflict"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthenticated"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            409: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Conflict"];
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postBookingsIdReschedule: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "starts_at": "2026-11-30T09:00:00.000000Z"
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: date-time
                     * @example 2026-11-30T09:00:00.000000Z
                     */
                    starts_at: string;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403, 404, 409 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": {
                     *         "id": 12,
                     *         "student_id": 12,
                     *         "teacher_id": 7,
                     *         "student_name": "Awa Diallo",
                     *         "teacher_name": "Kossi Mensah",
                     *         "starts_at": "2026-11-20T21:04:06.593904Z",
                     *         "ends_at": "2026-11-20T21:04:06.593904Z",
                     *         "proposed_starts_at": null,
                     *         "call_type": "video",
                     *         "note": "Quadratic equations",
                     *         "status": "confirmed",
                     *         "created_at": "2026-11-20T21:04:06.593904Z",
                     *         "updated_at": "2026-11-20T21:04:06.593904Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["CallsBooking"];
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"] | components["schemas"]["NotFound"] | components["schemas"]["Conflict"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthenticated"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            409: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Conflict"];
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getBookingsFeed: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403, 404 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": {
                     *         "url": "https://api.example.com/api/bookings.ics?token=12.Zx8vQmJ2kR5tY7wLp0aBcDeFgHi"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            /** @example https://api.example.com/api/bookings.ics?token=12.Zx8vQmJ2kR5tY7wLp0aBcDeFgHi */
                            url: string;
                        };
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"] | components["schemas"]["NotFound"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthenticated"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postBookingsFeed: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403, 404 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": {
                     *         "url": "https://api.example.com/api/bookings.ics?token=12.Zx8vQmJ2kR5tY7wLp0aBcDeFgHi"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            /** @example https://api.example.com/api/bookings.ics?token=12.Zx8vQmJ2kR5tY7wLp0aBcDeFgHi */
                            url: string;
                        };
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"] | components["schemas"]["NotFound"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthenticated"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postCallAccept: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "student_user_id": 12,
                 *       "call_type": "video"
                 *     }
                 */
                "application/json": {
                    /** @enum {string} */
                    call_type: "video" | "audio";
                    /** @example 12 */
                    student_user_id: number;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 402, 403, 404 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": {
                     *         "transaction": {
                     *           "id": 12,
                     *           "identifier": "0199f2c4-8a51-7c3e-b1d0-5a2f7e9c4410",
                     *           "service_id": 1,
                     *           "student_id": 12,
                     *           "teacher_id": 7,
                     *           "plan_id": 1,
                     *           "total_cost": 250,
                     *           "total_duration": 130,
                     *           "created_at": "2026-11-20T21:04:06.593904Z",
                     *           "updated_at": "2026-11-20T21:04:06.593904Z",
                     *           "teacher": {
                     *             "id": 12,
                     *             "name": "Kossi Mensah",
                     *             "plan_id": 1,
                     *             "domains": "Mathematics, Physics",
                     *             "experience": 4,
                     *             "availability": "Weekdays after 5 pm",
                     *             "bio": "Teaches mathematics with patience",
                     *             "verified": "0",
                     *             "created_at": "2026-11-20T21:04:06.593904Z",
                     *             "updated_at": "2026-11-20T21:04:06.593904Z",
                     *             "transactions_count": 18
                     *           },
                     *           "service": {
                     *             "id": 12,
                     *             "name": "VIDEO",
                     *             "iterator": "60",
                     *             "base_cost": "100",
                     *             "iterator_cost": "50",
                     *             "created_at": "2026-11-20T21:04:06.593904Z",
                     *             "updated_at": "2026-11-20T21:04:06.593904Z"
                     *           },
                     *           "plan": {
                     *             "id": 12,
                     *             "name": "Standard",
                     *             "points": 100,
                     *             "image_cost": 10,
                     *             "created_at": "2026-11-20T21:04:06.593904Z",
                     *             "updated_at": "2026-11-20T21:04:06.593904Z"
                     *           }
                     *         },
                     *         "service": {
                     *           "id": 12,
                     *           "name": "VIDEO",
                     *           "iterator": "60",
                     *           "base_cost": "100",
                     *           "iterator_cost": "50",
                     *           "created_at": "2026-11-20T21:04:06.593904Z",
                     *           "updated_at": "2026-11-20T21:04:06.593904Z"
                     *         },
                     *         "channel": "3f1d2a60-7c5b-5e0a-9a53-0f6a1c2b7d11",
                     *         "token": "007eJxTYNi5"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            /** @example 3f1d2a60-7c5b-5e0a-9a53-0f6a1c2b7d11 */
                            channel: string;
                            service: {
                                /** @example 100 */
                                base_cost: string;
                                /**
                                 * Format: date-time
                                 * @example 2026-11-20T21:04:06.593904Z
                                 */
                                created_at: string;
                                /** @example 12 */
                                id: number;
                                /** @example 60 */
                                iterator: string;
                                /** @example 50 */
                                iterator_cost: string;
                                /** @example VIDEO */
                                name: string;
                                /**
                                 * Format: date-time
                                 * @example 2026-11-20T21:04:06.593904Z
                                 */
                                updated_at: string;
                            };
                            /** @example 007eJxTYNi5 */
                            token: string;
                            transaction: {
                                /**
                                 * Format: date-time
                                 * @example 2026-11-20T21:04:06.593904Z
                                 */
                                created_at: string;
                                /** @example 12 */
                                id: number;
                                /** @example 0199f2c4-8a51-7c3e-b1d0-5a2f7e9c4410 */
                                identifier: string;
                                plan: {
                                    /**
                                     * Format: date-time
                                     * @example 2026-11-20T21:04:06.593904Z
                                     */
                                    created_at: string;
                                    /** @example 12 */
                                    id: number;
                                    /** @example 10 */
                                    image_cost: number;
                                    /** @example Standard */
                                    name: string;
                                    /** @example 100 */
                                    points: number;
                                    /**
                                     * Format: date-time
                                     * @example 2026-11-20T21:04:06.593904Z
                                     */
                                    updated_at: string;
                                };
                                /** @example 1 */
                                plan_id: number;
                                service: {
                                    /** @example 100 */
                                    base_cost: string;
                                    /**
                                     * Format: date-time
                                     * @example 2026-11-20T21:04:06.593904Z
                                     */
                                    created_at: string;
                                    /** @example 12 */
                                    id: number;
                                    /** @example 60 */
                                    iterator: string;
                                    /** @example 50 */
                                    iterator_cost: string;
                                    /** @example VIDEO */
                                    name: string;
                                    /**
                                     * Format: date-time
                                     * @example 2026-11-20T21:04:06.593904Z
                                     */
                                    updated_at: string;
                                };
                                /** @example 1 */
                                service_id: number;
                                /** @example 12 */
                                student_id: number;
                                teacher: {
                                    /** @example Weekdays after 5 pm */
                                    availability: string;
                                    /** @example Teaches mathematics with patience */
                                    bio: string | null;
                                    /**
                                     * Format: date-time
                                     * @example 2026-11-20T21:04:06.593904Z
                                     */
                                    created_at: string;
                                    /** @example Mathematics, Physics */
                                    domains: string;
                                    /** @example 4 */
                                    experience: number;
                                    /** @example 12 */
                                    id: number;
                                    /** @example Kossi Mensah */
                                    name: string;
                                    /** @example 1 */
                                    plan_id: number;
                                    /** @example 18 */
                                    transactions_count: number;
                                    /**
                                     * Format: date-time
                                     * @example 2026-11-20T21:04:06.593904Z
                                     */
                                    updated_at: string;
                                    /** @enum {string} */
                                    verified: "0" | "1";
                                };
                                /** @example 7 */
                                teacher_id: number;
                                /** @example 250 */
                                total_cost: number;
                                /** @example 130 */
                                total_duration: number | null;
                                /**
                                 * Format: date-time
                                 * @example 2026-11-20T21:04:06.593904Z
                                 */
                                updated_at: string;
                            };
                        };
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["PaymentRequired"] | components["schemas"]["Forbidden"] | components["schemas"]["NotFound"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthenticated"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            402: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentRequired"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postCallAlive: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "identifier": "0199f2c4-8a51-7c3e-b1d0-5a2f7e9c4410"
                 *     }
                 */
                "application/json": {
                    /** @example 0199f2c4-8a51-7c3e-b1d0-5a2f7e9c4410 */
                    identifier: string;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403, 404, 409 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": []
                     *     }
                     */
                    "application/json": {
                        data: unknown[];
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"] | components["schemas"]["NotFound"] | components["schemas"]["Conflict"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthenticated"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            409: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Conflict"];
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postCallBill: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "identifier": "0199f2c4-8a51-7c3e-b1d0-5a2f7e9c4410"
                 *     }
                 */
                "application/json": {
                    /** @example 0199f2c4-8a51-7c3e-b1d0-5a2f7e9c4410 */
                    identifier: string;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403, 500 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": []
                     *     }
                     */
                    "application/json": {
                        data: unknown[];
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"] | components["schemas"]["NotBilled"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthenticated"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            402: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotBilled"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotBilled"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            409: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotBilled"];
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postCallCancel: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "teacher_user_id": 7
                 *     }
                 */
                "application/json": {
                    /** @example 7 */
                    teacher_user_id: number;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403, 404 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": []
                     *     }
                     */
                    "application/json": {
                        data: unknown[];
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"] | components["schemas"]["NotFound"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthenticated"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postCallEnd: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "room_uuid": "3f1d2a60-7c5b-5e0a-9a53-0f6a1c2b7d11",
                 *       "identifier": "0199f2c4-8a51-7c3e-b1d0-5a2f7e9c4410"
                 *     }
                 */
                "application/json": {
                    /** @example 0199f2c4-8a51-7c3e-b1d0-5a2f7e9c4410 */
                    identifier: string;
                    /**
                     * Format: uuid
                     * @example 3f1d2a60-7c5b-5e0a-9a53-0f6a1c2b7d11
                     */
                    room_uuid: string;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403, 404 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": []
                     *     }
                     */
                    "application/json": {
                        data: unknown[];
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"] | components["schemas"]["NotFound"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthenticated"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postCallInit: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "teacher_user_id": 7,
                 *       "call_type": "video"
                 *     }
                 */
                "application/json": {
                    /** @enum {string} */
                    call_type: "video" | "audio";
                    /** @example 7 */
                    teacher_user_id: number;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 402, 403, 409 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": {
                     *         "message": "It is done.",
                     *         "channel": "3f1d2a60-7c5b-5e0a-9a53-0f6a1c2b7d11",
                     *         "token": "007eJxTYNi5"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            /** @example 3f1d2a60-7c5b-5e0a-9a53-0f6a1c2b7d11 */
                            channel: string;
                            /** @example It is done. */
                            message: string;
                            /** @example 007eJxTYNi5 */
                            token: string;
                        };
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["PaymentRequired"] | components["schemas"]["Forbidden"] | components["schemas"]["Conflict"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthenticated"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            402: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentRequired"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            409: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Conflict"];
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postCallReject: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "student_user_id": 12
                 *     }
                 */
                "application/json": {
                    /** @example 12 */
                    student_user_id: number;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403, 404 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": []
                     *     }
                     */
                    "application/json": {
                        data: unknown[];
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"] | components["schemas"]["NotFound"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthenticated"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postCallToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "identifier": "0199f2c4-8a51-7c3e-b1d0-5a2f7e9c4410"
                 *     }
                 */
                "application/json": {
                    /** @example 0199f2c4-8a51-7c3e-b1d0-5a2f7e9c4410 */
                    identifier: string;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403, 404, 409 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": {
                     *         "channel": "3f1d2a60-7c5b-5e0a-9a53-0f6a1c2b7d11",
                     *         "token": "007eJxTYNi5",
                     *         "expires_at": "2026-11-20T21:04:06.593904Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            /** @example 3f1d2a60-7c5b-5e0a-9a53-0f6a1c2b7d11 */
                            channel: string;
                            /**
                             * Format: date-time
                             * @example 2026-11-20T21:04:06.593904Z
                             */
                            expires_at: string;
                            /** @example 007eJxTYNi5 */
                            token: string;
                        };
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"] | components["schemas"]["NotFound"] | components["schemas"]["Conflict"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthenticated"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            409: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Conflict"];
                };
            };
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
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": [
                     *         {
                     *           "identifier": "0199f2c4-8a51-7c3e-b1d0-5a2f7e9c4410",
                     *           "state": "ended",
                     *           "call_type": "video",
                     *           "channel": "3f1d2a60-7c5b-5e0a-9a53-0f6a1c2b7d11",
                     *           "student_id": 12,
                     *           "teacher_id": 7,
                     *           "steps": 3,
                     *           "total_cost": 250,
                     *           "total_duration": 130,
                     *           "created_at": "2026-11-20T21:04:06.593904Z",
                     *           "accepted_at": "2026-11-20T21:04:06.593904Z",
                     *           "ended_at": "2026-11-20T21:04:06.593904Z",
                     *           "student_name": "Awa Diallo",
                     *           "teacher_name": "Kossi Mensah",
                     *           "student_photo": "https://api.example.com/api/assets/avatar.png",
                     *           "teacher_photo": "https://api.example.com/api/assets/avatar.png",
                     *           "refunded": 0,
                     *           "ended_by": "teacher"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        data: {
                            accepted_at: string | null;
                            /** @enum {string} */
                            call_type: "video" | "audio";
                            /** @example 3f1d2a60-7c5b-5e0a-9a53-0f6a1c2b7d11 */
                            channel: string;
                            /**
                             * Format: date-time
                             * @example 2026-11-20T21:04:06.593904Z
                             */
                            created_at: string;
                            ended_at: string | null;
                            /**
                             * @description Who hung up, canceled or rejected; `money`: the balance was used up; `silence`: two steps without a bill, or without a sign of life of the student; `ban`: one of the two was banned. Null while the call is live, and when it was missed.
                             * @example teacher
                             */
                            ended_by: ("student" | "teacher" | "money" | "silence" | "ban") | null;
                            /** @example 0199f2c4-8a51-7c3e-b1d0-5a2f7e9c4410 */
                            identifier: string;
                            /**
                             * @description The sum of the refunds so far.
                             * @example 0
                             */
                            refunded: number;
                            /**
                             * @example ended
                             * @enum {string}
                             */
                            state: "ringing" | "active" | "ended" | "rejected" | "missed" | "canceled";
                            /** @example 3 */
                            steps: number;
                            /** @example 12 */
                            student_id: number;
                            /** @example Awa Diallo */
                            student_name: string;
                            /** @example https://api.example.com/api/assets/avatar.png */
                            student_photo: string;
                            /** @example 7 */
                            teacher_id: number;
                            /** @example Kossi Mensah */
                            teacher_name: string;
                            /** @example https://api.example.com/api/assets/avatar.png */
                            teacher_photo: string;
                            /** @example 250 */
                            total_cost: number;
                            /** @example 130 */
                            total_duration: number | null;
                        }[];
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthenticated"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getCallsIdentifier: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path: {
                identifier: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403, 404 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": {
                     *         "identifier": "0199f2c4-8a51-7c3e-b1d0-5a2f7e9c4410",
                     *         "state": "ended",
                     *         "call_type": "video",
                     *         "channel": "3f1d2a60-7c5b-5e0a-9a53-0f6a1c2b7d11",
                     *         "student_id": 12,
                     *         "teacher_id": 7,
                     *         "steps": 3,
                     *         "total_cost": 250,
                     *         "total_duration": 130,
                     *         "created_at": "2026-11-20T21:04:06.593904Z",
                     *         "accepted_at": "2026-11-20T21:04:06.593904Z",
                     *         "ended_at": "2026-11-20T21:04:06.593904Z",
                     *         "student_name": "Awa Diallo",
                     *         "teacher_name": "Kossi Mensah",
                     *         "student_photo": "https://api.example.com/api/assets/avatar.png",
                     *         "teacher_photo": "https://api.example.com/api/assets/avatar.png",
                     *         "refunded": 0,
                     *         "ended_by": "teacher"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            accepted_at: string | null;
                            /** @enum {string} */
                            call_type: "video" | "audio";
                            /** @example 3f1d2a60-7c5b-5e0a-9a53-0f6a1c2b7d11 */
                            channel: string;
                            /**
                             * Format: date-time
                             * @example 2026-11-20T21:04:06.593904Z
                             */
                            created_at: string;
                            ended_at: string | null;
                            /**
                             * @description Who hung up, canceled or rejected; `money`: the balance was used up; `silence`: two steps without a bill, or without a sign of life of the student; `ban`: one of the two was banned. Null while the call is live, and when it was missed.
                             * @example teacher
                             */
                            ended_by: ("student" | "teacher" | "money" | "silence" | "ban") | null;
                            /** @example 0199f2c4-8a51-7c3e-b1d0-5a2f7e9c4410 */
                            identifier: string;
                            /**
                             * @description The sum of the refunds so far.
                             * @example 0
                             */
                            refunded: number;
                            /**
                             * @example ended
                             * @enum {string}
                             */
                            state: "ringing" | "active" | "ended" | "rejected" | "missed" | "canceled";
                            /** @example 3 */
                            steps: number;
                            /** @example 12 */
                            student_id: number;
                            /** @example Awa Diallo */
                            student_name: string;
                            /** @example https://api.example.com/api/assets/avatar.png */
                            student_photo: string;
                            /** @example 7 */
                            teacher_id: number;
                            /** @example Kossi Mensah */
                            teacher_name: string;
                            /** @example https://api.example.com/api/assets/avatar.png */
                            teacher_photo: string;
                            /** @example 250 */
                            total_cost: number;
                            /** @example 130 */
                            total_duration: number | null;
                        };
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"] | components["schemas"]["NotFound"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthenticated"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getCallsIdentifierReceipt: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path: {
                identifier: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403, 404 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": {
                     *         "identifier": "0199f2c4-8a51-7c3e-b1d0-5a2f7e9c4410",
                     *         "student_name": "Awa Diallo",
                     *         "teacher_name": "Kossi Mensah",
                     *         "currency": "XOF",
                     *         "lines": [
                     *           {
                     *             "step": 1,
                     *             "due_at": "2026-11-20T21:04:06.593904Z",
                     *             "amount": 150,
                     *             "ref": "call:0199f2c4-8a51-7c3e-b1d0-5a2f7e9c4410:step:1"
                     *           }
                     *         ],
                     *         "total": 150,
                     *         "refunded": 0,
                     *         "started_at": "2026-11-20T21:04:06.593904Z",
                     *         "ended_at": "2026-11-20T21:04:06.593904Z",
                     *         "commission": 15,
                     *         "earned": 135
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            /**
                             * @description Only for the teacher: the part of `total` that the platform keeps.
                             * @example 15
                             */
                            commission?: number;
                            /** @example XOF */
                            currency: string;
                            /**
                             * @description Only for the teacher: `total` less `commission`.
                             * @example 135
                             */
                            earned?: number;
                            ended_at: string | null;
                            /** @example 0199f2c4-8a51-7c3e-b1d0-5a2f7e9c4410 */
                            identifier: string;
                            lines: {
                                /** @example 150 */
                                amount: number;
                                /**
                                 * Format: date-time
                                 * @example 2026-11-20T21:04:06.593904Z
                                 */
                                due_at: string;
                                /**
                                 * @description Reference of the movement, as in the statement; null for a free step.
                                 * @example call:0199f2c4-8a51-7c3e-b1d0-5a2f7e9c4410:step:1
                                 */
                                ref: string | null;
                                /** @example 1 */
                                step: number;
                            }[];
                            /** @example 0 */
                            refunded: number;
                            started_at: string | null;
                            /** @example Awa Diallo */
                            student_name: string;
                            /** @example Kossi Mensah */
                            teacher_name: string;
                            /**
                             * @description The sum of the lines, before refunds.
                             * @example 150
                             */
                            total: number;
                        };
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"] | components["schemas"]["NotFound"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthenticated"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postCallsIdentifierReview: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your own for this one intention, at most 255 characters. For 24 hours a repeat with the same key and body gets the first answer, with the header `Idempotent-Replayed: true`, and nothing happens twice. With another body it is a 422; while the first request still runs it is a 409. */
                "Idempotency-Key"?: string;
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path: {
                identifier: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "rating": 5
                 *     }
                 */
                "application/json": {
                    /** @example She explains well. */
                    comment?: string;
                    /** @example 5 */
                    rating: number;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403, 404, 409 */
            200: {
                headers: {
                    /** @description This is the stored answer of an earlier request with the same `Idempotency-Key`. */
                    "Idempotent-Replayed"?: "true";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": {
                     *         "id": 12,
                     *         "identifier": "0199f2c4-8a51-7c3e-b1d0-5a2f7e9c4410",
                     *         "teacher_id": 7,
                     *         "student_id": 12,
                     *         "student_name": "Awa Diallo",
                     *         "rating": 5,
                     *         "comment": "She explains well.",
                     *         "reply": "Thank you!",
                     *         "hidden": false,
                     *         "created_at": "2026-11-20T21:04:06.593904Z",
                     *         "updated_at": "2026-11-20T21:04:06.593904Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["CallsReview"];
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"] | components["schemas"]["NotFound"] | components["schemas"]["Conflict"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthenticated"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            409: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Conflict"];
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getCheckoutDepositToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                deposit: string;
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description A page with the refusal */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postCheckoutDepositToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                deposit: string;
                token: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "action": "pay"
                 *     }
                 */
                "application/json": {
                    /** @enum {string} */
                    action: "pay" | "fail" | "cancel";
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description A page with the refusal */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getCheckoutReturned: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getCheckoutStyleCss: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/css": string;
                };
            };
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
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": [
                     *         {
                     *           "id": 12,
                     *           "user_id": 12,
                     *           "amount": 5000,
                     *           "currency": "XOF",
                     *           "status": "success",
                     *           "method": "mobile_money",
                     *           "ref": "BANK-77",
                     *           "details": "Paid by transfer",
                     *           "created_at": "2026-11-20T21:04:06.593904Z",
                     *           "updated_at": "2026-11-20T21:04:06.593904Z",
                     *           "user": {
                     *             "id": 12,
                     *             "name": "Awa Diallo",
                     *             "email": "awa@example.com",
                     *             "phone_number": "+22890112233"
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        data: {
                            /** @example 5000 */
                            amount: number;
                            /**
                             * Format: date-time
                             * @example 2026-11-20T21:04:06.593904Z
                             */
                            created_at: string;
                            /** @example XOF */
                            currency: string;
                            /** @example Paid by transfer */
                            details: string | null;
                            /** @example 12 */
                            id: number;
                            /** @example mobile_money */
                            method: string | null;
                            /** @example BANK-77 */
                            ref: string | null;
                            /**
                             * @example success
                             * @enum {string}
                             */
                            status: "initiated" | "pending" | "success" | "failed" | "canceled";
                            /**
                             * Format: date-time
                             * @example 2026-11-20T21:04:06.593904Z
                             */
                            updated_at: string;
                            user: {
                                /** @example awa@example.com */
                                email: string;
                                /** @example 12 */
                                id: number;
                                /** @example Awa Diallo */
                                name: string;
                                /** @example +22890112233 */
                                phone_number: string;
                            };
                            /** @example 12 */
                            user_id: number;
                        }[];
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthenticated"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postDeposits: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your own for this one intention, at most 255 characters. For 24 hours a repeat with the same key and body gets the first answer, with the header `Idempotent-Replayed: true`, and nothing happens twice. With another body it is a 422; while the first request still runs it is a 409. */
                "Idempotency-Key"?: string;
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "amount": 5000,
                 *       "method": "mobile_money"
                 *     }
                 */
                "application/json": {
                    /** @example 5000 */
                    amount: number;
                    /** @example mobile_money */
                    method?: string;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403, 409 */
            200: {
                headers: {
                    /** @description This is the stored answer of an earlier request with the same `Idempotency-Key`. */
                    "Idempotent-Replayed"?: "true";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": {
                     *         "id": 12,
                     *         "user_id": 12,
                     *         "amount": 5000,
                     *         "currency": "XOF",
                     *         "status": "success",
                     *         "method": "mobile_money",
                     *         "ref": "BANK-77",
                     *         "details": "Paid by transfer",
                     *         "created_at": "2026-11-20T21:04:06.593904Z",
                     *         "updated_at": "2026-11-20T21:04:06.593904Z",
                     *         "user": {
                     *           "id": 12,
                     *           "name": "Awa Diallo",
                     *           "email": "awa@example.com",
                     *           "phone_number": "+22890112233"
                     *         },
                     *         "checkout_url": "https://checkout.example.com/pay/cs_8a51"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            /** @example 5000 */
                            amount: number;
                            /** @example https://checkout.example.com/pay/cs_8a51 */
                            checkout_url: string;
                            /**
                             * Format: date-time
                             * @example 2026-11-20T21:04:06.593904Z
                             */
                            created_at: string;
                            /** @example XOF */
                            currency: string;
                            /** @example Paid by transfer */
                            details: string | null;
                            /** @example 12 */
                            id: number;
                            /** @example mobile_money */
                            method: string | null;
                            /** @example BANK-77 */
                            ref: string | null;
                            /**
                             * @example success
                             * @enum {string}
                             */
                            status: "initiated" | "pending" | "success" | "failed" | "canceled";
                            /**
                             * Format: date-time
                             * @example 2026-11-20T21:04:06.593904Z
                             */
                            updated_at: string;
                            user: {
                                /** @example awa@example.com */
                                email: string;
                                /** @example 12 */
                                id: number;
                                /** @example Awa Diallo */
                                name: string;
                                /** @example +22890112233 */
                                phone_number: string;
                            };
                            /** @example 12 */
                            user_id: number;
                        };
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"] | components["schemas"]["Conflict"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthenticated"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            409: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Conflict"];
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getDepositsId: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403, 404 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": {
                     *         "id": 12,
                     *         "user_id": 12,
                     *         "amount": 5000,
                     *         "currency": "XOF",
                     *         "status": "success",
                     *         "method": "mobile_money",
                     *         "ref": "BANK-77",
                     *         "details": "Paid by transfer",
                     *         "created_at": "2026-11-20T21:04:06.593904Z",
                     *         "updated_at": "2026-11-20T21:04:06.593904Z",
                     *         "user": {
                     *           "id": 12,
                     *           "name": "Awa Diallo",
                     *           "email": "awa@example.com",
                     *           "phone_number": "+22890112233"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            /** @example 5000 */
                            amount: number;
                            /**
                             * Format: date-time
                             * @example 2026-11-20T21:04:06.593904Z
                             */
                            created_at: string;
                            /** @example XOF */
                            currency: string;
                            /** @example Paid by transfer */
                            details: string | null;
                            /** @example 12 */
                            id: number;
                            /** @example mobile_money */
                            method: string | null;
                            /** @example BANK-77 */
                            ref: string | null;
                            /**
                             * @example success
                             * @enum {string}
                             */
                            status: "initiated" | "pending" | "success" | "failed" | "canceled";
                            /**
                             * Format: date-time
                             * @example 2026-11-20T21:04:06.593904Z
                             */
                            updated_at: string;
                            user: {
                                /** @example awa@example.com */
                                email: string;
                                /** @example 12 */
                                id: number;
                                /** @example Awa Diallo */
                                name: string;
                                /** @example +22890112233 */
                                phone_number: string;
                            };
                            /** @example 12 */
                            user_id: number;
                        };
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"] | components["schemas"]["NotFound"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthenticated"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
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
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Events, until the client or the server ends the stream */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example id: 019a8e5c-7f00-7c3a-9d2e-1b6f0a4c5d8e
                     *     event: wallet.balance
                     *     data: {"balance":5000,"available":4800,"held":200}
                     */
                    "text/event-stream": string;
                };
            };
            /** @description No valid bearer */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthenticated"];
                };
            };
            /** @description An administrator must set up two-factor authentication first */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SecondFactor"];
                };
            };
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
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": [
                     *         {
                     *           "id": 12,
                     *           "name": "Kossi Mensah",
                     *           "domains": "Mathematics, Physics",
                     *           "experience": 4,
                     *           "availability": "Weekdays after 5 pm",
                     *           "bio": "Teaches mathematics with patience",
                     *           "photo": "https://api.example.com/api/assets/avatar.png",
                     *           "about_me": "I prepare pupils for the baccalauréat",
                     *           "city": "Lomé",
                     *           "country": "Togo",
                     *           "verified": "0",
                     *           "plan_id": 1,
                     *           "transactions_count": 18,
                     *           "rating": "4.8",
                     *           "reviews_count": 11,
                     *           "favourite": true,
                     *           "online": true
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["IdentityTeacher"][];
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthenticated"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    putFavouritesTeacherId: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path: {
                teacher_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403, 404, 409 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": {
                     *         "id": 12,
                     *         "name": "Kossi Mensah",
                     *         "domains": "Mathematics, Physics",
                     *         "experience": 4,
                     *         "availability": "Weekdays after 5 pm",
                     *         "bio": "Teaches mathematics with patience",
                     *         "photo": "https://api.example.com/api/assets/avatar.png",
                     *         "about_me": "I prepare pupils for the baccalauréat",
                     *         "city": "Lomé",
                     *         "country": "Togo",
                     *         "verified": "0",
                     *         "plan_id": 1,
                     *         "transactions_count": 18,
                     *         "rating": "4.8",
                     *         "reviews_count": 11,
                     *         "favourite": true,
                     *         "online": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["IdentityTeacher"];
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"] | components["schemas"]["NotFound"] | components["schemas"]["Conflict"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthenticated"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            409: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Conflict"];
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    deleteFavouritesTeacherId: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path: {
                teacher_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403, 404 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": {
                     *         "message": "It is done."
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            /** @example It is done. */
                            message: string;
                        };
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"] | components["schemas"]["NotFound"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthenticated"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getFilesKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            /** @description The range that was asked for */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            /** @description What `If-None-Match` names is still right */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Refused */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            /** @description Refused */
            416: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RangeNotSatisfiable"];
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getMe: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403, 404 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": {
                     *         "id": 12,
                     *         "name": "Awa Diallo",
                     *         "email": "awa@example.com",
                     *         "phone_number": "+22890112233",
                     *         "platform": "student",
                     *         "gauth_type": "email",
                     *         "solde": 4800,
                     *         "photo": "https://api.example.com/api/assets/avatar.png",
                     *         "address": "12 rue des Cocotiers",
                     *         "city": "Lomé",
                     *         "country": "Togo",
                     *         "about_me": "I prepare pupils for the baccalauréat",
                     *         "status": "active",
                     *         "level_study": "Terminale",
                     *         "subjects_interest": "Algebra",
                     *         "plan_id": 1,
                     *         "domains": "Mathematics, Physics",
                     *         "experience": 4,
                     *         "availability": "Weekdays after 5 pm",
                     *         "bio": "Teaches mathematics with patience",
                     *         "verified": "0",
                     *         "created_at": "2026-11-20T21:04:06.593904Z",
                     *         "updated_at": "2026-11-20T21:04:06.593904Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["IdentityUser"];
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"] | components["schemas"]["NotFound"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthenticated"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    putMe: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "address": "12 rue des Cocotiers",
                 *       "city": "Lomé",
                 *       "country": "Togo",
                 *       "about_me": "I prepare pupils for the baccalauréat",
                 *       "bio": "Teaches mathematics with patience"
                 *     }
                 */
                "application/json": {
                    /** @example I prepare pupils for the baccalauréat */
                    about_me?: string | null;
                    /** @example 12 rue des Cocotiers */
                    address?: string | null;
                    /** @example Weekdays after 5 pm */
                    availability?: string | null;
                    /** @example Teaches mathematics with patience */
                    bio?: string | null;
                    /** @example Lomé */
                    city?: string | null;
                    /** @example 493021 */
                    code?: string;
                    /** @example Togo */
                    country?: string | null;
                    /** @example a good secret */
                    current_password?: string;
                    /**
                     * @example [
                     *       1,
                     *       2
                     *     ]
                     */
                    domains?: number[];
                    /**
                     * Format: email
                     * @example awa@example.com
                     */
                    email?: string;
                    /** @example 4 */
                    experience?: number;
                    /** @example Terminale */
                    level_study?: string | null;
                    /** @example Awa Diallo */
                    name?: string;
                    /** @example 493021 */
                    old_code?: string;
                    /** @example a good secret */
                    password?: string;
                    /** @example +22890112233 */
                    phone_number?: string;
                    /** @example https://api.example.com/api/assets/avatar.png */
                    photo?: string | null;
                    /** @example 1 */
                    plan?: number;
                    /** @example Algebra */
                    subjects_interest?: string | null;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403, 404 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": {
                     *         "id": 12,
                     *         "name": "Awa Diallo",
                     *         "email": "awa@example.com",
                     *         "phone_number": "+22890112233",
                     *         "platform": "student",
                     *         "gauth_type": "email",
                     *         "solde": 4800,
                     *         "photo": "https://api.example.com/api/assets/avatar.png",
                     *         "address": "12 rue des Cocotiers",
                     *         "city": "Lomé",
                     *         "country": "Togo",
                     *         "about_me": "I prepare pupils for the baccalauréat",
                     *         "status": "active",
                     *         "level_study": "Terminale",
                     *         "subjects_interest": "Algebra",
                     *         "plan_id": 1,
                     *         "domains": "Mathematics, Physics",
                     *         "experience": 4,
                     *         "availability": "Weekdays after 5 pm",
                     *         "bio": "Teaches mathematics with patience",
                     *         "verified": "0",
                     *         "created_at": "2026-11-20T21:04:06.593904Z",
                     *         "updated_at": "2026-11-20T21:04:06.593904Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["IdentityUser"];
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"] | components["schemas"]["NotFound"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthenticated"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    deleteMe: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "password": "a good secret"
                 *     }
                 */
                "application/json": {
                    /** @example 493021 */
                    code?: string;
                    /** @example false */
                    forfeit?: boolean;
                    /** @example a good secret */
                    password?: string;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403, 404, 409 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": {
                     *         "message": "It is done."
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            /** @example It is done. */
                            message: string;
                        };
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"] | components["schemas"]["NotFound"] | components["schemas"]["Conflict"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthenticated"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            409: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Conflict"];
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getMeAvailability: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": {
                     *         "time_zone": "Africa/Abidjan",
                     *         "slot_minutes": 60,
                     *         "min_notice_minutes": 120,
                     *         "weekly": [
                     *           {
                     *             "day": 1,
                     *             "from": "09:00",
                     *             "to": "12:30"
                     *           }
                     *         ],
                     *         "exceptions": [
                     *           {
                     *             "date": "2026-12-24",
                     *             "from": "09:00",
                     *             "to": "12:30",
                     *             "available": false
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["CallsAvailability"];
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthenticated"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    putMeAvailability: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "time_zone": "Africa/Abidjan",
                 *       "slot_minutes": 60,
                 *       "min_notice_minutes": 120,
                 *       "weekly": [
                 *         {
                 *           "day": 1,
                 *           "from": "09:00",
                 *           "to": "12:30"
                 *         }
                 *       ],
                 *       "exceptions": [
                 *         {
                 *           "date": "2026-12-24",
                 *           "from": "09:00",
                 *           "to": "12:30",
                 *           "available": false
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    exceptions: {
                        /** @example false */
                        available: boolean;
                        /**
                         * Format: date
                         * @example 2026-12-24
                         */
                        date: string;
                        /** @example 09:00 */
                        from: string;
                        /** @example 12:30 */
                        to: string;
                    }[];
                    /** @example 120 */
                    min_notice_minutes: number;
                    /** @example 60 */
                    slot_minutes: number;
                    /**
                     * Format: time-zone
                     * @example Africa/Abidjan
                     */
                    time_zone: string;
                    weekly: {
                        /** @example 1 */
                        day: number;
                        /** @example 09:00 */
                        from: string;
                        /** @example 12:30 */
                        to: string;
                    }[];
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": {
                     *         "time_zone": "Africa/Abidjan",
                     *         "slot_minutes": 60,
                     *         "min_notice_minutes": 120,
                     *         "weekly": [
                     *           {
                     *             "day": 1,
                     *             "from": "09:00",
                     *             "to": "12:30"
                     *           }
                     *         ],
                     *         "exceptions": [
                     *           {
                     *             "date": "2026-12-24",
                     *             "from": "09:00",
                     *             "to": "12:30",
                     *             "available": false
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["CallsAvailability"];
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthenticated"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getMeExport: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "profile": {
                     *         "id": 12,
                     *         "name": "Awa Diallo",
                     *         "email": "awa@example.com",
                     *         "phone_number": "+22890112233",
                     *         "platform": "student",
                     *         "gauth_type": "email",
                     *         "solde": 4800,
                     *         "photo": "https://api.example.com/api/assets/avatar.png",
                     *         "address": "12 rue des Cocotiers",
                     *         "city": "Lomé",
                     *         "country": "Togo",
                     *         "about_me": "I prepare pupils for the baccalauréat",
                     *         "status": "active",
                     *         "level_study": "Terminale",
                     *         "subjects_interest": "Algebra",
                     *         "plan_id": 1,
                     *         "domains": "Mathematics, Physics",
                     *         "experience": 4,
                     *         "availability": "Weekdays after 5 pm",
                     *         "bio": "Teaches mathematics with patience",
                     *         "verified": "0",
                     *         "created_at": "2026-11-20T21:04:06.593904Z",
                     *         "updated_at": "2026-11-20T21:04:06.593904Z",
                     *         "favourites": [
                     *           {
                     *             "teacher_id": 7,
                     *             "teacher_name": "Kossi Mensah",
                     *             "created_at": "2026-11-20T21:04:06.593904Z"
                     *           }
                     *         ]
                     *       },
                     *       "sessions": [
                     *         {
                     *           "id": 12,
                     *           "name": "Chrome on Windows",
                     *           "address": "203.0.113.7",
                     *           "user_agent": "Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/142.0.0.0 Safari/537.36",
                     *           "push": true,
                     *           "current": true,
                     *           "last_used_at": "2026-11-20T21:04:06.593904Z",
                     *           "created_at": "2026-11-20T21:04:06.593904Z"
                     *         }
                     *       ],
                     *       "rooms": [
                     *         {
                     *           "uuid": "3f1d2a60-7c5b-5e0a-9a53-0f6a1c2b7d11",
                     *           "rtc_token": "007eJxTYNi5",
                     *           "student": {
                     *             "id": 12,
                     *             "name": "Awa Diallo",
                     *             "email": "awa@example.com",
                     *             "level_study": "Terminale",
                     *             "subjects_interest": "Algebra",
                     *             "photo": "https://api.example.com/api/assets/avatar.png"
                     *           },
                     *           "teacher": {
                     *             "id": 12,
                     *             "name": "Kossi Mensah",
                     *             "email": "awa@example.com",
                     *             "domains": "Mathematics, Physics",
                     *             "experience": 4,
                     *             "availability": "Weekdays after 5 pm",
                     *             "photo": "https://api.example.com/api/assets/avatar.png"
                     *           },
                     *           "last_message": {
                     *             "id": 12,
                     *             "room_uuid": "3f1d2a60-7c5b-5e0a-9a53-0f6a1c2b7d11",
                     *             "sender_id": 12,
                     *             "message": "Bonjour",
                     *             "time": "5 minutes ago",
                     *             "status": "unread",
                     *             "type": "message",
                     *             "message_link": "https://files.example.com/exercise.pdf",
                     *             "created_at": "2026-11-20T21:04:06.593904Z",
                     *             "updated_at": "2026-11-20T21:04:06.593904Z"
                     *           },
                     *           "created_at": "2026-11-20T21:04:06.593904Z",
                     *           "updated_at": "2026-11-20T21:04:06.593904Z",
                     *           "messages": [
                     *             {
                     *               "id": 12,
                     *               "room_uuid": "3f1d2a60-7c5b-5e0a-9a53-0f6a1c2b7d11",
                     *               "sender_id": 12,
                     *               "message": "Bonjour",
                     *               "time": "5 minutes ago",
                     *               "status": "unread",
                     *               "type": "message",
                     *               "message_link": "https://files.example.com/exercise.pdf",
                     *               "created_at": "2026-11-20T21:04:06.593904Z",
                     *               "updated_at": "2026-11-20T21:04:06.593904Z"
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "calls": [
                     *         {
                     *           "identifier": "0199f2c4-8a51-7c3e-b1d0-5a2f7e9c4410",
                     *           "state": "ended",
                     *           "call_type": "video",
                     *           "channel": "3f1d2a60-7c5b-5e0a-9a53-0f6a1c2b7d11",
                     *           "student_id": 12,
                     *           "teacher_id": 7,
                     *           "steps": 3,
                     *           "total_cost": 250,
                     *           "total_duration": 130,
                     *           "created_at": "2026-11-20T21:04:06.593904Z",
                     *           "accepted_at": "2026-11-20T21:04:06.593904Z",
                     *           "ended_at": "2026-11-20T21:04:06.593904Z"
                     *         }
                     *       ],
                     *       "statement": [
                     *         {
                     *           "id": 12,
                     *           "type": "deposit",
                     *           "direction": "in",
                     *           "amount": 5000,
                     *           "ref": "BANK-77",
                     *           "created_at": "2026-11-20T21:04:06.593904Z"
                     *         }
                     *       ],
                     *       "deposits": [
                     *         {
                     *           "id": 12,
                     *           "user_id": 12,
                     *           "amount": 5000,
                     *           "currency": "XOF",
                     *           "status": "success",
                     *           "method": "mobile_money",
                     *           "ref": "BANK-77",
                     *           "details": "Paid by transfer",
                     *           "created_at": "2026-11-20T21:04:06.593904Z",
                     *           "updated_at": "2026-11-20T21:04:06.593904Z",
                     *           "user": {
                     *             "id": 12,
                     *             "name": "Awa Diallo",
                     *             "email": "awa@example.com",
                     *             "phone_number": "+22890112233"
                     *           }
                     *         }
                     *       ],
                     *       "withdrawals": [
                     *         {
                     *           "id": 12,
                     *           "user_id": 12,
                     *           "amount": 5000,
                     *           "currency": "XOF",
                     *           "status": "success",
                     *           "method": "mobile_money",
                     *           "account": "+22890445566",
                     *           "ref": "BANK-77",
                     *           "details": "Paid by transfer",
                     *           "created_at": "2026-11-20T21:04:06.593904Z",
                     *           "updated_at": "2026-11-20T21:04:06.593904Z",
                     *           "user": {
                     *             "id": 12,
                     *             "name": "Awa Diallo",
                     *             "email": "awa@example.com",
                     *             "phone_number": "+22890112233"
                     *           }
                     *         }
                     *       ],
                     *       "reviews": [
                     *         {
                     *           "student_id": 12,
                     *           "teacher_id": 7,
                     *           "student_name": "Awa Diallo",
                     *           "created_at": "2026-11-20T21:04:06.593904Z",
                     *           "updated_at": "2026-11-20T21:04:06.593904Z",
                     *           "id": 12,
                     *           "identifier": "0199f2c4-8a51-7c3e-b1d0-5a2f7e9c4410",
                     *           "rating": 5,
                     *           "comment": "She explains well",
                     *           "reply": "",
                     *           "hidden": false
                     *         }
                     *       ],
                     *       "bookings": [
                     *         {
                     *           "student_id": 12,
                     *           "teacher_id": 7,
                     *           "student_name": "Awa Diallo",
                     *           "created_at": "2026-11-20T21:04:06.593904Z",
                     *           "updated_at": "2026-11-20T21:04:06.593904Z",
                     *           "id": 12,
                     *           "teacher_name": "Kossi Mensah",
                     *           "starts_at": "2026-11-20T21:04:06.593904Z",
                     *           "ends_at": "2026-11-20T21:04:06.593904Z",
                     *           "call_type": "video",
                     *           "note": "",
                     *           "status": "done"
                     *         }
                     *       ],
                     *       "files": [
                     *         {
                     *           "id": 77,
                     *           "url": "https://api.example.com/api/files/Zx8vQmJ2kR5tY7wLp0aBcDeFgHiJkLmN",
                     *           "name": "exercise.png",
                     *           "type": "image",
                     *           "content_type": "image/png",
                     *           "size": 48213,
                     *           "width": 1024,
                     *           "height": 768,
                     *           "created_at": "2026-11-20T21:04:06.593904Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["IdentityOwnData"];
                };
            };
            /** @description Refused */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthenticated"];
                };
            };
            /** @description Refused */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description Refused */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postMePhoto: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "file": "the bytes of the file"
                 *     }
                 */
                "multipart/form-data": {
                    /**
                     * Format: binary
                     * @example the bytes of the file
                     */
                    file: string;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403, 404 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": {
                     *         "id": 12,
                     *         "name": "Awa Diallo",
                     *         "email": "awa@example.com",
                     *         "phone_number": "+22890112233",
                     *         "platform": "student",
                     *         "gauth_type": "email",
                     *         "solde": 4800,
                     *         "photo": "https://api.example.com/api/assets/avatar.png",
                     *         "address": "12 rue des Cocotiers",
                     *         "city": "Lomé",
                     *         "country": "Togo",
                     *         "about_me": "I prepare pupils for the baccalauréat",
                     *         "status": "active",
                     *         "level_study": "Terminale",
                     *         "subjects_interest": "Algebra",
                     *         "plan_id": 1,
                     *         "domains": "Mathematics, Physics",
                     *         "experience": 4,
                     *         "availability": "Weekdays after 5 pm",
                     *         "bio": "Teaches mathematics with patience",
                     *         "verified": "0",
                     *         "created_at": "2026-11-20T21:04:06.593904Z",
                     *         "updated_at": "2026-11-20T21:04:06.593904Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["IdentityUser"];
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"] | components["schemas"]["NotFound"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthenticated"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    deleteMePhoto: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403, 404 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": {
                     *         "message": "The photo has been removed."
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            /** @example The photo has been removed. */
                            message: string;
                        };
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"] | components["schemas"]["NotFound"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthenticated"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postPaymentsall: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "pageItems": 15,
                 *       "page": 1,
                 *       "filter_value": "awa",
                 *       "order": "desc",
                 *       "user_id": 12,
                 *       "status": "success",
                 *       "from": "2026-11-01",
                 *       "to": "2026-11-30",
                 *       "type": "deposit",
                 *       "direction": "in",
                 *       "with_source": true
                 *     }
                 */
                "application/json": {
                    /**
                     * @example in
                     * @enum {string}
                     */
                    direction?: "in" | "out";
                    /** @example awa */
                    filter_value?: string;
                    /**
                     * Format: date
                     * @example 2026-11-01
                     */
                    from?: string;
                    /**
                     * @description `asc`: oldest first.
                     * @example desc
                     * @enum {string}
                     */
                    order?: "asc" | "desc";
                    /** @example 1 */
                    page?: number;
                    /** @example 15 */
                    pageItems?: number;
                    /**
                     * @example success
                     * @enum {string}
                     */
                    status?: "initiated" | "pending" | "success" | "failed" | "canceled";
                    /**
                     * Format: date
                     * @example 2026-11-30
                     */
                    to?: string;
                    /**
                     * @example deposit
                     * @enum {string}
                     */
                    type?: "deposit" | "withdrawal" | "call" | "refund";
                    /** @example 12 */
                    user_id?: number;
                    /** @example true */
                    with_source?: boolean;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": {
                     *         "current_page": 1,
                     *         "data": [
                     *           {
                     *             "id": 12,
                     *             "user_id": 12,
                     *             "type": "deposit",
                     *             "direction": "in",
                     *             "amount": 5000,
                     *             "currency": "XOF",
                     *             "status": "success",
                     *             "ref": "BANK-77",
                     *             "details": "Paid by transfer",
                     *             "created_at": "2026-11-20T21:04:06.593904Z",
                     *             "updated_at": "2026-11-20T21:04:06.593904Z",
                     *             "user": {
                     *               "id": 12,
                     *               "name": "Awa Diallo",
                     *               "email": "awa@example.com",
                     *               "phone_number": "+22890112233"
                     *             },
                     *             "source": "deposit:12"
                     *           }
                     *         ],
                     *         "first_page_url": "https://api.example.com/api/paymentsall?page=1",
                     *         "from": 1,
                     *         "last_page": 3,
                     *         "last_page_url": "https://api.example.com/api/paymentsall?page=3",
                     *         "links": [
                     *           {
                     *             "url": "https://api.example.com/api/paymentsall?page=2",
                     *             "label": "1",
                     *             "active": true
                     *           }
                     *         ],
                     *         "next_page_url": "https://api.example.com/api/paymentsall?page=2",
                     *         "path": "https://api.example.com/api/paymentsall",
                     *         "per_page": 15,
                     *         "prev_page_url": "https://api.example.com/api/paymentsall?page=1",
                     *         "to": 15,
                     *         "total": 38
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            /** @example 1 */
                            current_page: number;
                            data: {
                                /** @example 5000 */
                                amount: number;
                                /**
                                 * Format: date-time
                                 * @example 2026-11-20T21:04:06.593904Z
                                 */
                                created_at: string;
                                /** @example XOF */
                                currency: string;
                                /** @example Paid by transfer */
                                details: string | null;
                                /** @enum {string} */
                                direction: "in" | "out";
                                /** @example 12 */
                                id: number;
                                /** @example BANK-77 */
                                ref: string | null;
                                /**
                                 * @description Only for administrators who send `with_source`: the origin of the payment, by kind and id.
                                 * @example deposit:12
                                 */
                                source?: string;
                                /**
                                 * @example success
                                 * @enum {string}
                                 */
                                status: "initiated" | "pending" | "success" | "failed" | "canceled";
                                /** @enum {string} */
                                type: "deposit" | "withdrawal" | "call" | "refund";
                                /**
                                 * Format: date-time
                                 * @example 2026-11-20T21:04:06.593904Z
                                 */
                                updated_at: string;
                                user: {
                                    /** @example awa@example.com */
                                    email: string;
                                    /** @example 12 */
                                    id: number;
                                    /** @example Awa Diallo */
                                    name: string;
                                    /** @example +22890112233 */
                                    phone_number: string;
                                };
                                /** @example 12 */
                                user_id: number;
                            }[];
                            /** @example https://api.example.com/api/paymentsall?page=1 */
                            first_page_url: string;
                            /** @example 1 */
                            from: number | null;
                            /** @example 3 */
                            last_page: number;
                            /** @example https://api.example.com/api/paymentsall?page=3 */
                            last_page_url: string;
                            links: {
                                /** @example true */
                                active: boolean;
                                /** @example 1 */
                                label: string;
                                /** @example https://api.example.com/api/paymentsall?page=2 */
                                url: string | null;
                            }[];
                            /** @example https://api.example.com/api/paymentsall?page=2 */
                            next_page_url: string | null;
                            /** @example https://api.example.com/api/paymentsall */
                            path: string;
                            /** @example 15 */
                            per_page: number;
                            /** @example https://api.example.com/api/paymentsall?page=1 */
                            prev_page_url: string | null;
                            /** @example 15 */
                            to: number | null;
                            /** @example 38 */
                            total: number;
                        };
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["EnvelopedUnauthenticated"] | components["schemas"]["SecondFactor"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EnvelopedUnauthenticated"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SecondFactor"];
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getPhotosKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/jpeg": string;
                };
            };
            /** @description The range that was asked for */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/jpeg": string;
                };
            };
            /** @description What `If-None-Match` names is still right */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Refused */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            /** @description Refused */
            416: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RangeNotSatisfiable"];
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getPlans: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": [
                     *         {
                     *           "id": 12,
                     *           "name": "Standard",
                     *           "points": 100,
                     *           "image_cost": 10,
                     *           "created_at": "2026-11-20T21:04:06.593904Z",
                     *           "updated_at": "2026-11-20T21:04:06.593904Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["IdentityPlan"][];
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postReports: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your own for this one intention, at most 255 characters. For 24 hours a repeat with the same key and body gets the first answer, with the header `Idempotent-Replayed: true`, and nothing happens twice. With another body it is a 422; while the first request still runs it is a 409. */
                "Idempotency-Key"?: string;
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "user_id": 7,
                 *       "reason": "spam"
                 *     }
                 */
                "application/json": {
                    /** @example He asked me to pay outside of the app. */
                    details?: string;
                    /**
                     * Format: uuid
                     * @example 0199f2c4-8a51-7c3e-b1d0-5a2f7e9c4410
                     */
                    identifier?: string;
                    /** @enum {string} */
                    reason: "spam" | "abuse" | "fraud" | "other";
                    /**
                     * Format: uuid
                     * @example 3f1d2a60-7c5b-5e0a-9a53-0f6a1c2b7d11
                     */
                    room_uuid?: string;
                    /** @example 7 */
                    user_id: number;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403, 409 */
            200: {
                headers: {
                    /** @description This is the stored answer of an earlier request with the same `Idempotency-Key`. */
                    "Idempotent-Replayed"?: "true";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": {
                     *         "id": 12,
                     *         "user_id": 7,
                     *         "reason": "spam",
                     *         "details": "He asked me to pay outside of the app.",
                     *         "room_uuid": "3f1d2a60-7c5b-5e0a-9a53-0f6a1c2b7d11",
                     *         "identifier": "0199f2c4-8a51-7c3e-b1d0-5a2f7e9c4410",
                     *         "status": "open",
                     *         "created_at": "2026-11-20T21:04:06.593904Z",
                     *         "updated_at": "2026-11-20T21:04:06.593904Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["MessagingReport"];
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"] | components["schemas"]["Conflict"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthenticated"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            409: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Conflict"];
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    putReviewsId: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "rating": 5
                 *     }
                 */
                "application/json": {
                    /** @example She explains well. */
                    comment?: string;
                    /** @example 5 */
                    rating: number;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403, 404, 409 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": {
                     *         "id": 12,
                     *         "identifier": "0199f2c4-8a51-7c3e-b1d0-5a2f7e9c4410",
                     *         "teacher_id": 7,
                     *         "student_id": 12,
                     *         "student_name": "Awa Diallo",
                     *         "rating": 5,
                     *         "comment": "She explains well.",
                     *         "reply": "Thank you!",
                     *         "hidden": false,
                     *         "created_at": "2026-11-20T21:04:06.593904Z",
                     *         "updated_at": "2026-11-20T21:04:06.593904Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["CallsReview"];
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"] | components["schemas"]["NotFound"] | components["schemas"]["Conflict"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthenticated"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            409: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Conflict"];
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    putReviewsIdReply: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "reply": "Thank you!"
                 *     }
                 */
                "application/json": {
                    /** @example Thank you! */
                    reply: string | null;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403, 404 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": {
                     *         "id": 12,
                     *         "identifier": "0199f2c4-8a51-7c3e-b1d0-5a2f7e9c4410",
                     *         "teacher_id": 7,
                     *         "student_id": 12,
                     *         "student_name": "Awa Diallo",
                     *         "rating": 5,
                     *         "comment": "She explains well.",
                     *         "reply": "Thank you!",
                     *         "hidden": false,
                     *         "created_at": "2026-11-20T21:04:06.593904Z",
                     *         "updated_at": "2026-11-20T21:04:06.593904Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["CallsReview"];
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"] | components["schemas"]["NotFound"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthenticated"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
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
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": [
                     *         {
                     *           "uuid": "3f1d2a60-7c5b-5e0a-9a53-0f6a1c2b7d11",
                     *           "rtc_token": "007eJxTYNi5",
                     *           "student": {
                     *             "id": 12,
                     *             "name": "Awa Diallo",
                     *             "email": "awa@example.com",
                     *             "level_study": "Terminale",
                     *             "subjects_interest": "Algebra",
                     *             "photo": "https://api.example.com/api/assets/avatar.png"
                     *           },
                     *           "teacher": {
                     *             "id": 12,
                     *             "name": "Kossi Mensah",
                     *             "email": "awa@example.com",
                     *             "domains": "Mathematics, Physics",
                     *             "experience": 4,
                     *             "availability": "Weekdays after 5 pm",
                     *             "photo": "https://api.example.com/api/assets/avatar.png"
                     *           },
                     *           "last_message": {
                     *             "id": 12,
                     *             "room_uuid": "3f1d2a60-7c5b-5e0a-9a53-0f6a1c2b7d11",
                     *             "sender_id": 12,
                     *             "message": "Bonjour",
                     *             "time": "5 minutes ago",
                     *             "status": "unread",
                     *             "type": "message",
                     *             "message_link": "https://files.example.com/exercise.pdf",
                     *             "created_at": "2026-11-20T21:04:06.593904Z",
                     *             "updated_at": "2026-11-20T21:04:06.593904Z"
                     *           },
                     *           "created_at": "2026-11-20T21:04:06.593904Z",
                     *           "updated_at": "2026-11-20T21:04:06.593904Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["MessagingRoom"][];
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthenticated"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postRooms: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "teacher_id": 7
                 *     }
                 */
                "application/json": {
                    /** @example 7 */
                    teacher_id: number;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": {
                     *         "uuid": "3f1d2a60-7c5b-5e0a-9a53-0f6a1c2b7d11",
                     *         "rtc_token": "007eJxTYNi5",
                     *         "student": {
                     *           "id": 12,
                     *           "name": "Awa Diallo",
                     *           "email": "awa@example.com",
                     *           "level_study": "Terminale",
                     *           "subjects_interest": "Algebra",
                     *           "photo": "https://api.example.com/api/assets/avatar.png"
                     *         },
                     *         "teacher": {
                     *           "id": 12,
                     *           "name": "Kossi Mensah",
                     *           "email": "awa@example.com",
                     *           "domains": "Mathematics, Physics",
                     *           "experience": 4,
                     *           "availability": "Weekdays after 5 pm",
                     *           "photo": "https://api.example.com/api/assets/avatar.png"
                     *         },
                     *         "last_message": {
                     *           "id": 12,
                     *           "room_uuid": "3f1d2a60-7c5b-5e0a-9a53-0f6a1c2b7d11",
                     *           "sender_id": 12,
                     *           "message": "Bonjour",
                     *           "time": "5 minutes ago",
                     *           "status": "unread",
                     *           "type": "message",
                     *           "message_link": "https://files.example.com/exercise.pdf",
                     *           "created_at": "2026-11-20T21:04:06.593904Z",
                     *           "updated_at": "2026-11-20T21:04:06.593904Z"
                     *         },
                     *         "created_at": "2026-11-20T21:04:06.593904Z",
                     *         "updated_at": "2026-11-20T21:04:06.593904Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["MessagingRoom"];
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthenticated"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
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
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path: {
                uuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403, 404 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": [
                     *         {
                     *           "id": 12,
                     *           "room_uuid": "3f1d2a60-7c5b-5e0a-9a53-0f6a1c2b7d11",
                     *           "sender": {
                     *             "id": 12,
                     *             "name": "Awa Diallo",
                     *             "email": "awa@example.com",
                     *             "solde": 4800,
                     *             "level_study": "Terminale",
                     *             "subjects_interest": "Algebra",
                     *             "phone_number": "+22890112233",
                     *             "photo": "https://api.example.com/api/assets/avatar.png",
                     *             "address": "12 rue des Cocotiers",
                     *             "city": "Lomé",
                     *             "country": "Togo",
                     *             "about_me": "I prepare pupils for the baccalauréat",
                     *             "status": "active",
                     *             "created_at": "2026-11-20T21:04:06.593904Z",
                     *             "updated_at": "2026-11-20T21:04:06.593904Z"
                     *           },
                     *           "message": "Bonjour",
                     *           "time": "5 minutes ago",
                     *           "status": "unread",
                     *           "type": "message",
                     *           "message_link": "https://files.example.com/exercise.pdf",
                     *           "created_at": "2026-11-20T21:04:06.593904Z",
                     *           "updated_at": "2026-11-20T21:04:06.593904Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["MessagingMessageWithSender"][];
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"] | components["schemas"]["NotFound"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthenticated"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postRoomsUuidFiles: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path: {
                uuid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "file": "the bytes of the file"
                 *     }
                 */
                "multipart/form-data": {
                    /**
                     * Format: binary
                     * @example the bytes of the file
                     */
                    file: string;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403, 404, 409 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": {
                     *         "id": 77,
                     *         "url": "https://api.example.com/api/files/Zx8vQmJ2kR5tY7wLp0aBcDeFgHiJkLmN",
                     *         "name": "exercise.png",
                     *         "type": "image",
                     *         "content_type": "image/png",
                     *         "size": 48213,
                     *         "width": 1024,
                     *         "height": 768,
                     *         "created_at": "2026-11-20T21:04:06.593904Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["MessagingFile"];
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"] | components["schemas"]["NotFound"] | components["schemas"]["Conflict"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthenticated"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            409: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Conflict"];
                };
            };
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
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path: {
                uuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403, 404 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": [
                     *         {
                     *           "id": 12,
                     *           "room_uuid": "3f1d2a60-7c5b-5e0a-9a53-0f6a1c2b7d11",
                     *           "sender_id": 12,
                     *           "message": "Bonjour",
                     *           "time": "5 minutes ago",
                     *           "status": "unread",
                     *           "type": "message",
                     *           "message_link": "https://files.example.com/exercise.pdf",
                     *           "created_at": "2026-11-20T21:04:06.593904Z",
                     *           "updated_at": "2026-11-20T21:04:06.593904Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["MessagingMessage"][];
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"] | components["schemas"]["NotFound"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthenticated"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postRoomsUuidMessages: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your own for this one intention, at most 255 characters. For 24 hours a repeat with the same key and body gets the first answer, with the header `Idempotent-Replayed: true`, and nothing happens twice. With another body it is a 422; while the first request still runs it is a 409. */
                "Idempotency-Key"?: string;
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path: {
                uuid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "message": "Bonjour",
                 *       "type": "message"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description The app's own id of this message. A repeat with the same id returns the first message and sends nothing.
                     * @example b7c1f0de-5521
                     */
                    client_message_id?: string;
                    /** @example Bonjour */
                    message?: string;
                    /** @example https://files.example.com/exercise.pdf */
                    message_link?: string;
                    /**
                     * @default message
                     * @enum {string}
                     */
                    type?: "message" | "image" | "audio" | "video" | "file";
                } & ({
                    /** @example Bonjour */
                    message: string;
                } | {
                    /** @example https://files.example.com/exercise.pdf */
                    message_link: string;
                });
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403, 404, 409 */
            200: {
                headers: {
                    /** @description This is the stored answer of an earlier request with the same `Idempotency-Key`. */
                    "Idempotent-Replayed"?: "true";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": {
                     *         "id": 12,
                     *         "room_uuid": "3f1d2a60-7c5b-5e0a-9a53-0f6a1c2b7d11",
                     *         "sender_id": 12,
                     *         "message": "Bonjour",
                     *         "time": "5 minutes ago",
                     *         "status": "unread",
                     *         "type": "message",
                     *         "message_link": "https://files.example.com/exercise.pdf",
                     *         "created_at": "2026-11-20T21:04:06.593904Z",
                     *         "updated_at": "2026-11-20T21:04:06.593904Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["MessagingMessage"];
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"] | components["schemas"]["NotFound"] | components["schemas"]["Conflict"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthenticated"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            409: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Conflict"];
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postRoomsUuidRead: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path: {
                uuid: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "up_to": 1042
                 *     }
                 */
                "application/json": {
                    /** @example 1042 */
                    up_to?: number;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403, 404 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": {
                     *         "room_uuid": "3f1d2a60-7c5b-5e0a-9a53-0f6a1c2b7d11",
                     *         "up_to": 1042
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            /** @example 3f1d2a60-7c5b-5e0a-9a53-0f6a1c2b7d11 */
                            room_uuid: string;
                            /** @example 1042 */
                            up_to: number;
                        };
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"] | components["schemas"]["NotFound"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthenticated"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getRoomsUnread: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": {
                     *         "total": 3,
                     *         "support": 1,
                     *         "rooms": [
                     *           {
                     *             "room_uuid": "3f1d2a60-7c5b-5e0a-9a53-0f6a1c2b7d11",
                     *             "unread": 2
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            rooms: components["schemas"]["MessagingUnreadRoom"][];
                            /** @example 1 */
                            support: number;
                            /** @example 3 */
                            total: number;
                        };
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthenticated"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getServices: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": [
                     *         {
                     *           "id": 12,
                     *           "name": "VIDEO",
                     *           "iterator": "60",
                     *           "base_cost": "100",
                     *           "iterator_cost": "50",
                     *           "created_at": "2026-11-20T21:04:06.593904Z",
                     *           "updated_at": "2026-11-20T21:04:06.593904Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        data: {
                            /** @example 100 */
                            base_cost: string;
                            /**
                             * Format: date-time
                             * @example 2026-11-20T21:04:06.593904Z
                             */
                            created_at: string;
                            /** @example 12 */
                            id: number;
                            /** @example 60 */
                            iterator: string;
                            /** @example 50 */
                            iterator_cost: string;
                            /** @example VIDEO */
                            name: string;
                            /**
                             * Format: date-time
                             * @example 2026-11-20T21:04:06.593904Z
                             */
                            updated_at: string;
                        }[];
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getSkills: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": [
                     *         {
                     *           "id": 12,
                     *           "name": "Mathematics",
                     *           "created_at": "2026-11-20T21:04:06.593904Z",
                     *           "updated_at": "2026-11-20T21:04:06.593904Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["IdentitySkill"][];
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postSupportFiles: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "file": "the bytes of the file"
                 *     }
                 */
                "multipart/form-data": {
                    /**
                     * Format: binary
                     * @example the bytes of the file
                     */
                    file: string;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": {
                     *         "id": 77,
                     *         "url": "https://api.example.com/api/files/Zx8vQmJ2kR5tY7wLp0aBcDeFgHiJkLmN",
                     *         "name": "exercise.png",
                     *         "type": "image",
                     *         "content_type": "image/png",
                     *         "size": 48213,
                     *         "width": 1024,
                     *         "height": 768,
                     *         "created_at": "2026-11-20T21:04:06.593904Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["MessagingFile"];
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthenticated"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
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
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": [
                     *         {
                     *           "id": 12,
                     *           "room_uuid": "3f1d2a60-7c5b-5e0a-9a53-0f6a1c2b7d11",
                     *           "sender_id": 12,
                     *           "message": "Bonjour",
                     *           "time": "5 minutes ago",
                     *           "status": "unread",
                     *           "type": "message",
                     *           "message_link": "https://files.example.com/exercise.pdf",
                     *           "created_at": "2026-11-20T21:04:06.593904Z",
                     *           "updated_at": "2026-11-20T21:04:06.593904Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["MessagingMessage"][];
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthenticated"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postSupportMessages: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your own for this one intention, at most 255 characters. For 24 hours a repeat with the same key and body gets the first answer, with the header `Idempotent-Replayed: true`, and nothing happens twice. With another body it is a 422; while the first request still runs it is a 409. */
                "Idempotency-Key"?: string;
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "message": "Bonjour",
                 *       "type": "message"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description The app's own id of this message. A repeat with the same id returns the first message and sends nothing.
                     * @example b7c1f0de-5521
                     */
                    client_message_id?: string;
                    /** @example Bonjour */
                    message?: string;
                    /** @example https://files.example.com/exercise.pdf */
                    message_link?: string;
                    /**
                     * @default message
                     * @enum {string}
                     */
                    type?: "message" | "image" | "audio" | "video" | "file";
                } & ({
                    /** @example Bonjour */
                    message: string;
                } | {
                    /** @example https://files.example.com/exercise.pdf */
                    message_link: string;
                });
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403, 409 */
            200: {
                headers: {
                    /** @description This is the stored answer of an earlier request with the same `Idempotency-Key`. */
                    "Idempotent-Replayed"?: "true";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": {
                     *         "id": 12,
                     *         "room_uuid": "3f1d2a60-7c5b-5e0a-9a53-0f6a1c2b7d11",
                     *         "sender_id": 12,
                     *         "message": "Bonjour",
                     *         "time": "5 minutes ago",
                     *         "status": "unread",
                     *         "type": "message",
                     *         "message_link": "https://files.example.com/exercise.pdf",
                     *         "created_at": "2026-11-20T21:04:06.593904Z",
                     *         "updated_at": "2026-11-20T21:04:06.593904Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["MessagingMessage"];
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"] | components["schemas"]["Conflict"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthenticated"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            409: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Conflict"];
                };
            };
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
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": {
                     *         "current_page": 1,
                     *         "data": [
                     *           {
                     *             "id": 12,
                     *             "name": "Kossi Mensah",
                     *             "domains": "Mathematics, Physics",
                     *             "experience": 4,
                     *             "availability": "Weekdays after 5 pm",
                     *             "bio": "Teaches mathematics with patience",
                     *             "photo": "https://api.example.com/api/assets/avatar.png",
                     *             "about_me": "I prepare pupils for the baccalauréat",
                     *             "city": "Lomé",
                     *             "country": "Togo",
                     *             "verified": "0",
                     *             "plan_id": 1,
                     *             "transactions_count": 18,
                     *             "rating": "4.8",
                     *             "reviews_count": 11,
                     *             "favourite": true,
                     *             "online": true
                     *           }
                     *         ],
                     *         "first_page_url": "https://api.example.com/api/paymentsall?page=1",
                     *         "from": 1,
                     *         "last_page": 3,
                     *         "last_page_url": "https://api.example.com/api/paymentsall?page=3",
                     *         "links": [
                     *           {
                     *             "url": "https://api.example.com/api/paymentsall?page=2",
                     *             "label": "1",
                     *             "active": true
                     *           }
                     *         ],
                     *         "next_page_url": "https://api.example.com/api/paymentsall?page=2",
                     *         "path": "https://api.example.com/api/paymentsall",
                     *         "per_page": 15,
                     *         "prev_page_url": "https://api.example.com/api/paymentsall?page=1",
                     *         "to": 15,
                     *         "total": 38
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            /** @example 1 */
                            current_page: number;
                            data: components["schemas"]["IdentityTeacher"][];
                            /** @example https://api.example.com/api/paymentsall?page=1 */
                            first_page_url: string;
                            /** @example 1 */
                            from: number | null;
                            /** @example 3 */
                            last_page: number;
                            /** @example https://api.example.com/api/paymentsall?page=3 */
                            last_page_url: string;
                            links: {
                                /** @example true */
                                active: boolean;
                                /** @example 1 */
                                label: string;
                                /** @example https://api.example.com/api/paymentsall?page=2 */
                                url: string | null;
                            }[];
                            /** @example https://api.example.com/api/paymentsall?page=2 */
                            next_page_url: string | null;
                            /** @example https://api.example.com/api/paymentsall */
                            path: string;
                            /** @example 15 */
                            per_page: number;
                            /** @example https://api.example.com/api/paymentsall?page=1 */
                            prev_page_url: string | null;
                            /** @example 15 */
                            to: number | null;
                            /** @example 38 */
                            total: number;
                        };
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthenticated"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getTeachersId: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403, 404 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": {
                     *         "id": 12,
                     *         "name": "Kossi Mensah",
                     *         "domains": "Mathematics, Physics",
                     *         "experience": 4,
                     *         "availability": "Weekdays after 5 pm",
                     *         "bio": "Teaches mathematics with patience",
                     *         "photo": "https://api.example.com/api/assets/avatar.png",
                     *         "about_me": "I prepare pupils for the baccalauréat",
                     *         "city": "Lomé",
                     *         "country": "Togo",
                     *         "verified": "0",
                     *         "plan_id": 1,
                     *         "transactions_count": 18,
                     *         "rating": "4.8",
                     *         "reviews_count": 11,
                     *         "favourite": true,
                     *         "online": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["IdentityTeacher"];
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"] | components["schemas"]["NotFound"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthenticated"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
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
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403, 404 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": {
                     *         "current_page": 1,
                     *         "data": [
                     *           {
                     *             "id": 12,
                     *             "teacher_id": 7,
                     *             "student_name": "Awa",
                     *             "rating": 5,
                     *             "comment": "She explains well.",
                     *             "reply": "Thank you!",
                     *             "created_at": "2026-11-20T21:04:06.593904Z",
                     *             "updated_at": "2026-11-20T21:04:06.593904Z"
                     *           }
                     *         ],
                     *         "first_page_url": "https://api.example.com/api/paymentsall?page=1",
                     *         "from": 1,
                     *         "last_page": 3,
                     *         "last_page_url": "https://api.example.com/api/paymentsall?page=3",
                     *         "links": [
                     *           {
                     *             "url": "https://api.example.com/api/paymentsall?page=2",
                     *             "label": "1",
                     *             "active": true
                     *           }
                     *         ],
                     *         "next_page_url": "https://api.example.com/api/paymentsall?page=2",
                     *         "path": "https://api.example.com/api/paymentsall",
                     *         "per_page": 15,
                     *         "prev_page_url": "https://api.example.com/api/paymentsall?page=1",
                     *         "to": 15,
                     *         "total": 38
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            /** @example 1 */
                            current_page: number;
                            data: components["schemas"]["CallsPublicReview"][];
                            /** @example https://api.example.com/api/paymentsall?page=1 */
                            first_page_url: string;
                            /** @example 1 */
                            from: number | null;
                            /** @example 3 */
                            last_page: number;
                            /** @example https://api.example.com/api/paymentsall?page=3 */
                            last_page_url: string;
                            links: {
                                /** @example true */
                                active: boolean;
                                /** @example 1 */
                                label: string;
                                /** @example https://api.example.com/api/paymentsall?page=2 */
                                url: string | null;
                            }[];
                            /** @example https://api.example.com/api/paymentsall?page=2 */
                            next_page_url: string | null;
                            /** @example https://api.example.com/api/paymentsall */
                            path: string;
                            /** @example 15 */
                            per_page: number;
                            /** @example https://api.example.com/api/paymentsall?page=1 */
                            prev_page_url: string | null;
                            /** @example 15 */
                            to: number | null;
                            /** @example 38 */
                            total: number;
                        };
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"] | components["schemas"]["NotFound"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthenticated"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
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
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403, 404 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": [
                     *         {
                     *           "starts_at": "2026-11-20T21:04:06.593904Z",
                     *           "ends_at": "2026-11-20T21:04:06.593904Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["CallsSlot"][];
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"] | components["schemas"]["NotFound"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthenticated"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getWallet: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": {
                     *         "balance": 5000,
                     *         "available": 4800,
                     *         "held": 200,
                     *         "currency": "XOF"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            /** @example 4800 */
                            available: number;
                            /** @example 5000 */
                            balance: number;
                            /** @example XOF */
                            currency: string;
                            /** @example 200 */
                            held: number;
                        };
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthenticated"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
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
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": [
                     *         {
                     *           "id": 12,
                     *           "type": "deposit",
                     *           "direction": "in",
                     *           "amount": 5000,
                     *           "ref": "BANK-77",
                     *           "created_at": "2026-11-20T21:04:06.593904Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        data: {
                            /** @example 5000 */
                            amount: number;
                            /**
                             * Format: date-time
                             * @example 2026-11-20T21:04:06.593904Z
                             */
                            created_at: string;
                            /** @enum {string} */
                            direction: "in" | "out";
                            /** @example 12 */
                            id: number;
                            /** @example BANK-77 */
                            ref: string;
                            /** @enum {string} */
                            type: "deposit" | "deposit_reversal" | "withdrawal" | "withdrawal_reversal" | "call" | "commission" | "refund" | "commission_refund" | "forfeit";
                        }[];
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthenticated"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
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
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            /** @description Refused */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthenticated"];
                };
            };
            /** @description Refused */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postWebhooksPaymentsProvider: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                provider: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "received": true
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        received: true;
                    };
                };
            };
            /** @description Refused */
            400: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Malformed"];
                };
            };
            /** @description Refused */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
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
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": [
                     *         {
                     *           "id": 12,
                     *           "user_id": 12,
                     *           "amount": 5000,
                     *           "currency": "XOF",
                     *           "status": "success",
                     *           "method": "mobile_money",
                     *           "account": "+22890445566",
                     *           "ref": "BANK-77",
                     *           "details": "Paid by transfer",
                     *           "created_at": "2026-11-20T21:04:06.593904Z",
                     *           "updated_at": "2026-11-20T21:04:06.593904Z",
                     *           "user": {
                     *             "id": 12,
                     *             "name": "Awa Diallo",
                     *             "email": "awa@example.com",
                     *             "phone_number": "+22890112233"
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        data: {
                            /** @example +22890445566 */
                            account: string | null;
                            /** @example 5000 */
                            amount: number;
                            /**
                             * Format: date-time
                             * @example 2026-11-20T21:04:06.593904Z
                             */
                            created_at: string;
                            /** @example XOF */
                            currency: string;
                            /** @example Paid by transfer */
                            details: string | null;
                            /** @example 12 */
                            id: number;
                            /** @example mobile_money */
                            method: string | null;
                            /** @example BANK-77 */
                            ref: string | null;
                            /**
                             * @example success
                             * @enum {string}
                             */
                            status: "initiated" | "pending" | "success" | "failed" | "canceled";
                            /**
                             * Format: date-time
                             * @example 2026-11-20T21:04:06.593904Z
                             */
                            updated_at: string;
                            user: {
                                /** @example awa@example.com */
                                email: string;
                                /** @example 12 */
                                id: number;
                                /** @example Awa Diallo */
                                name: string;
                                /** @example +22890112233 */
                                phone_number: string;
                            };
                            /** @example 12 */
                            user_id: number;
                        }[];
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthenticated"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postWithdrawals: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your own for this one intention, at most 255 characters. For 24 hours a repeat with the same key and body gets the first answer, with the header `Idempotent-Replayed: true`, and nothing happens twice. With another body it is a 422; while the first request still runs it is a 409. */
                "Idempotency-Key"?: string;
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "amount": 5000,
                 *       "method": "mobile_money",
                 *       "account": "+22890445566"
                 *     }
                 */
                "application/json": {
                    /** @example +22890445566 */
                    account: string;
                    /** @example 5000 */
                    amount: number;
                    /** @example mobile_money */
                    method: string;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 402, 403, 409 */
            200: {
                headers: {
                    /** @description This is the stored answer of an earlier request with the same `Idempotency-Key`. */
                    "Idempotent-Replayed"?: "true";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": {
                     *         "id": 12,
                     *         "user_id": 12,
                     *         "amount": 5000,
                     *         "currency": "XOF",
                     *         "status": "success",
                     *         "method": "mobile_money",
                     *         "account": "+22890445566",
                     *         "ref": "BANK-77",
                     *         "details": "Paid by transfer",
                     *         "created_at": "2026-11-20T21:04:06.593904Z",
                     *         "updated_at": "2026-11-20T21:04:06.593904Z",
                     *         "user": {
                     *           "id": 12,
                     *           "name": "Awa Diallo",
                     *           "email": "awa@example.com",
                     *           "phone_number": "+22890112233"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            /** @example +22890445566 */
                            account: string | null;
                            /** @example 5000 */
                            amount: number;
                            /**
                             * Format: date-time
                             * @example 2026-11-20T21:04:06.593904Z
                             */
                            created_at: string;
                            /** @example XOF */
                            currency: string;
                            /** @example Paid by transfer */
                            details: string | null;
                            /** @example 12 */
                            id: number;
                            /** @example mobile_money */
                            method: string | null;
                            /** @example BANK-77 */
                            ref: string | null;
                            /**
                             * @example success
                             * @enum {string}
                             */
                            status: "initiated" | "pending" | "success" | "failed" | "canceled";
                            /**
                             * Format: date-time
                             * @example 2026-11-20T21:04:06.593904Z
                             */
                            updated_at: string;
                            user: {
                                /** @example awa@example.com */
                                email: string;
                                /** @example 12 */
                                id: number;
                                /** @example Awa Diallo */
                                name: string;
                                /** @example +22890112233 */
                                phone_number: string;
                            };
                            /** @example 12 */
                            user_id: number;
                        };
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["PaymentRequired"] | components["schemas"]["Forbidden"] | components["schemas"]["Conflict"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthenticated"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            402: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentRequired"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            409: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Conflict"];
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getWithdrawalsId: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403, 404 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": {
                     *         "id": 12,
                     *         "user_id": 12,
                     *         "amount": 5000,
                     *         "currency": "XOF",
                     *         "status": "success",
                     *         "method": "mobile_money",
                     *         "account": "+22890445566",
                     *         "ref": "BANK-77",
                     *         "details": "Paid by transfer",
                     *         "created_at": "2026-11-20T21:04:06.593904Z",
                     *         "updated_at": "2026-11-20T21:04:06.593904Z",
                     *         "user": {
                     *           "id": 12,
                     *           "name": "Awa Diallo",
                     *           "email": "awa@example.com",
                     *           "phone_number": "+22890112233"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            /** @example +22890445566 */
                            account: string | null;
                            /** @example 5000 */
                            amount: number;
                            /**
                             * Format: date-time
                             * @example 2026-11-20T21:04:06.593904Z
                             */
                            created_at: string;
                            /** @example XOF */
                            currency: string;
                            /** @example Paid by transfer */
                            details: string | null;
                            /** @example 12 */
                            id: number;
                            /** @example mobile_money */
                            method: string | null;
                            /** @example BANK-77 */
                            ref: string | null;
                            /**
                             * @example success
                             * @enum {string}
                             */
                            status: "initiated" | "pending" | "success" | "failed" | "canceled";
                            /**
                             * Format: date-time
                             * @example 2026-11-20T21:04:06.593904Z
                             */
                            updated_at: string;
                            user: {
                                /** @example awa@example.com */
                                email: string;
                                /** @example 12 */
                                id: number;
                                /** @example Awa Diallo */
                                name: string;
                                /** @example +22890112233 */
                                phone_number: string;
                            };
                            /** @example 12 */
                            user_id: number;
                        };
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"] | components["schemas"]["NotFound"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthenticated"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postWithdrawalsIdCancel: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict`, the HTTP status of a refusal is its real status; the body stays the same. */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 403, 404, 409 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "statusCode": 200,
                     *       "data": {
                     *         "id": 12,
                     *         "user_id": 12,
                     *         "amount": 5000,
                     *         "currency": "XOF",
                     *         "status": "success",
                     *         "method": "mobile_money",
                     *         "account": "+22890445566",
                     *         "ref": "BANK-77",
                     *         "details": "Paid by transfer",
                     *         "created_at": "2026-11-20T21:04:06.593904Z",
                     *         "updated_at": "2026-11-20T21:04:06.593904Z",
                     *         "user": {
                     *           "id": 12,
                     *           "name": "Awa Diallo",
                     *           "email": "awa@example.com",
                     *           "phone_number": "+22890112233"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            /** @example +22890445566 */
                            account: string | null;
                            /** @example 5000 */
                            amount: number;
                            /**
                             * Format: date-time
                             * @example 2026-11-20T21:04:06.593904Z
                             */
                            created_at: string;
                            /** @example XOF */
                            currency: string;
                            /** @example Paid by transfer */
                            details: string | null;
                            /** @example 12 */
                            id: number;
                            /** @example mobile_money */
                            method: string | null;
                            /** @example BANK-77 */
                            ref: string | null;
                            /**
                             * @example success
                             * @enum {string}
                             */
                            status: "initiated" | "pending" | "success" | "failed" | "canceled";
                            /**
                             * Format: date-time
                             * @example 2026-11-20T21:04:06.593904Z
                             */
                            updated_at: string;
                            user: {
                                /** @example awa@example.com */
                                email: string;
                                /** @example 12 */
                                id: number;
                                /** @example Awa Diallo */
                                name: string;
                                /** @example +22890112233 */
                                phone_number: string;
                            };
                            /** @example 12 */
                            user_id: number;
                        };
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Unauthenticated"] | components["schemas"]["Forbidden"] | components["schemas"]["NotFound"] | components["schemas"]["Conflict"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unauthenticated"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forbidden"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            /** @description Only with `X-Envelope: strict`; otherwise 200 with this body */
            409: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Conflict"];
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    onBookingCanceled: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": 12,
                 *       "student_id": 12,
                 *       "teacher_id": 7,
                 *       "student_name": "Awa Diallo",
                 *       "teacher_name": "Kossi Mensah",
                 *       "starts_at": "2026-11-20T21:04:06.593904Z",
                 *       "ends_at": "2026-11-20T21:04:06.593904Z",
                 *       "proposed_starts_at": null,
                 *       "call_type": "video",
                 *       "note": "Quadratic equations",
                 *       "status": "confirmed",
                 *       "created_at": "2026-11-20T21:04:06.593904Z",
                 *       "updated_at": "2026-11-20T21:04:06.593904Z"
                 *     }
                 */
                "application/json": {
                    /** @enum {string} */
                    call_type: "video" | "audio";
                    /**
                     * Format: date-time
                     * @example 2026-11-20T21:04:06.593904Z
                     */
                    created_at: string;
                    /**
                     * Format: date-time
                     * @example 2026-11-20T21:04:06.593904Z
                     */
                    ends_at: string;
                    /** @example 12 */
                    id: number;
                    /** @example Quadratic equations */
                    note: string;
                    /**
                     * @description Of a confirmed lesson: the time to which one side would like to move it, held until the other side answers. Null otherwise.
                     * @example null
                     */
                    proposed_starts_at: string | null;
                    /**
                     * @description Absent unless it was given.
                     * @example I am ill.
                     */
                    reason?: string;
                    /**
                     * Format: date-time
                     * @example 2026-11-20T21:04:06.593904Z
                     */
                    starts_at: string;
                    /**
                     * @example confirmed
                     * @enum {string}
                     */
                    status: "requested" | "confirmed" | "declined" | "canceled" | "missed" | "done";
                    /** @example 12 */
                    student_id: number;
                    /** @example Awa Diallo */
                    student_name: string;
                    /** @example 7 */
                    teacher_id: number;
                    /** @example Kossi Mensah */
                    teacher_name: string;
                    /**
                     * Format: date-time
                     * @example 2026-11-20T21:04:06.593904Z
                     */
                    updated_at: string;
                };
            };
        };
        responses: {
            /** @description Nothing is answered: events come down the stream. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onBookingConfirmed: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": 12,
                 *       "student_id": 12,
                 *       "teacher_id": 7,
                 *       "student_name": "Awa Diallo",
                 *       "teacher_name": "Kossi Mensah",
                 *       "starts_at": "2026-11-20T21:04:06.593904Z",
                 *       "ends_at": "2026-11-20T21:04:06.593904Z",
                 *       "proposed_starts_at": null,
                 *       "call_type": "video",
                 *       "note": "Quadratic equations",
                 *       "status": "confirmed",
                 *       "created_at": "2026-11-20T21:04:06.593904Z",
                 *       "updated_at": "2026-11-20T21:04:06.593904Z"
                 *     }
                 */
                "application/json": components["schemas"]["CallsBooking"];
            };
        };
        responses: {
            /** @description Nothing is answered: events come down the stream. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onBookingDeclined: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": 12,
                 *       "student_id": 12,
                 *       "teacher_id": 7,
                 *       "student_name": "Awa Diallo",
                 *       "teacher_name": "Kossi Mensah",
                 *       "starts_at": "2026-11-20T21:04:06.593904Z",
                 *       "ends_at": "2026-11-20T21:04:06.593904Z",
                 *       "proposed_starts_at": null,
                 *       "call_type": "video",
                 *       "note": "Quadratic equations",
                 *       "status": "confirmed",
                 *       "created_at": "2026-11-20T21:04:06.593904Z",
                 *       "updated_at": "2026-11-20T21:04:06.593904Z"
                 *     }
                 */
                "application/json": components["schemas"]["CallsBooking"];
            };
        };
        responses: {
            /** @description Nothing is answered: events come down the stream. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onBookingReminder: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": 12,
                 *       "student_id": 12,
                 *       "teacher_id": 7,
                 *       "student_name": "Awa Diallo",
                 *       "teacher_name": "Kossi Mensah",
                 *       "starts_at": "2026-11-20T21:04:06.593904Z",
                 *       "ends_at": "2026-11-20T21:04:06.593904Z",
                 *       "proposed_starts_at": null,
                 *       "call_type": "video",
                 *       "note": "Quadratic equations",
                 *       "status": "confirmed",
                 *       "created_at": "2026-11-20T21:04:06.593904Z",
                 *       "updated_at": "2026-11-20T21:04:06.593904Z"
                 *     }
                 */
                "application/json": components["schemas"]["CallsBooking"];
            };
        };
        responses: {
            /** @description Nothing is answered: events come down the stream. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onBookingRequested: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": 12,
                 *       "student_id": 12,
                 *       "teacher_id": 7,
                 *       "student_name": "Awa Diallo",
                 *       "teacher_name": "Kossi Mensah",
                 *       "starts_at": "2026-11-20T21:04:06.593904Z",
                 *       "ends_at": "2026-11-20T21:04:06.593904Z",
                 *       "proposed_starts_at": null,
                 *       "call_type": "video",
                 *       "note": "Quadratic equations",
                 *       "status": "confirmed",
                 *       "created_at": "2026-11-20T21:04:06.593904Z",
                 *       "updated_at": "2026-11-20T21:04:06.593904Z"
                 *     }
                 */
                "application/json": components["schemas"]["CallsBooking"];
            };
        };
        responses: {
            /** @description Nothing is answered: events come down the stream. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onBookingRescheduled: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": 12,
                 *       "student_id": 12,
                 *       "teacher_id": 7,
                 *       "student_name": "Awa Diallo",
                 *       "teacher_name": "Kossi Mensah",
                 *       "starts_at": "2026-11-20T21:04:06.593904Z",
                 *       "ends_at": "2026-11-20T21:04:06.593904Z",
                 *       "proposed_starts_at": null,
                 *       "call_type": "video",
                 *       "note": "Quadratic equations",
                 *       "status": "confirmed",
                 *       "created_at": "2026-11-20T21:04:06.593904Z",
                 *       "updated_at": "2026-11-20T21:04:06.593904Z"
                 *     }
                 */
                "application/json": components["schemas"]["CallsBooking"];
            };
        };
        responses: {
            /** @description Nothing is answered: events come down the stream. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCallAccepted: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "identifier": "0199f2c4-8a51-7c3e-b1d0-5a2f7e9c4410",
                 *       "channel": "3f1d2a60-7c5b-5e0a-9a53-0f6a1c2b7d11",
                 *       "call_type": "video",
                 *       "student_id": 12,
                 *       "teacher_id": 7,
                 *       "accepted_at": "2026-11-20T21:04:06.593904Z"
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: date-time
                     * @example 2026-11-20T21:04:06.593904Z
                     */
                    accepted_at: string;
                    /** @enum {string} */
                    call_type: "video" | "audio";
                    /**
                     * @description The room's uuid.
                     * @example 3f1d2a60-7c5b-5e0a-9a53-0f6a1c2b7d11
                     */
                    channel: string;
                    /** @example 0199f2c4-8a51-7c3e-b1d0-5a2f7e9c4410 */
                    identifier: string;
                    /** @example 12 */
                    student_id: number;
                    /** @example 7 */
                    teacher_id: number;
                };
            };
        };
        responses: {
            /** @description Nothing is answered: events come down the stream. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCallCanceled: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "identifier": "0199f2c4-8a51-7c3e-b1d0-5a2f7e9c4410",
                 *       "channel": "3f1d2a60-7c5b-5e0a-9a53-0f6a1c2b7d11",
                 *       "call_type": "video",
                 *       "student_id": 12,
                 *       "teacher_id": 7
                 *     }
                 */
                "application/json": {
                    /** @enum {string} */
                    call_type: "video" | "audio";
                    /**
                     * @description The room's uuid.
                     * @example 3f1d2a60-7c5b-5e0a-9a53-0f6a1c2b7d11
                     */
                    channel: string;
                    /** @example 0199f2c4-8a51-7c3e-b1d0-5a2f7e9c4410 */
                    identifier: string;
                    /**
                     * @description Why the system itself ended it; absent otherwise.
                     * @enum {string}
                     */
                    reason?: "ban" | "payment_required";
                    /** @example 12 */
                    student_id: number;
                    /** @example 7 */
                    teacher_id: number;
                };
            };
        };
        responses: {
            /** @description Nothing is answered: events come down the stream. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCallEnded: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "identifier": "0199f2c4-8a51-7c3e-b1d0-5a2f7e9c4410",
                 *       "channel": "3f1d2a60-7c5b-5e0a-9a53-0f6a1c2b7d11",
                 *       "call_type": "video",
                 *       "student_id": 12,
                 *       "teacher_id": 7,
                 *       "reason": "student",
                 *       "ended_at": "2026-11-20T21:04:06.593904Z",
                 *       "total_duration": 130
                 *     }
                 */
                "application/json": {
                    /** @enum {string} */
                    call_type: "video" | "audio";
                    /**
                     * @description The room's uuid.
                     * @example 3f1d2a60-7c5b-5e0a-9a53-0f6a1c2b7d11
                     */
                    channel: string;
                    /**
                     * Format: date-time
                     * @example 2026-11-20T21:04:06.593904Z
                     */
                    ended_at: string;
                    /** @example 0199f2c4-8a51-7c3e-b1d0-5a2f7e9c4410 */
                    identifier: string;
                    /**
                     * @description Who hung up; `silence`: no bill was asked for during two steps; `exhaustion`: the money ran out; `ban`: one of the two was banned.
                     * @enum {string}
                     */
                    reason: "student" | "teacher" | "silence" | "exhaustion" | "ban";
                    /** @example 12 */
                    student_id: number;
                    /** @example 7 */
                    teacher_id: number;
                    /**
                     * @description Seconds.
                     * @example 130
                     */
                    total_duration: number;
                };
            };
        };
        responses: {
            /** @description Nothing is answered: events come down the stream. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCallLowBalance: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "identifier": "0199f2c4-8a51-7c3e-b1d0-5a2f7e9c4410",
                 *       "available": 4800,
                 *       "next_due_at": "2026-11-20T21:04:06.593904Z"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description What the student can still spend.
                     * @example 4800
                     */
                    available: number;
                    /** @example 0199f2c4-8a51-7c3e-b1d0-5a2f7e9c4410 */
                    identifier: string;
                    /**
                     * Format: date-time
                     * @example 2026-11-20T21:04:06.593904Z
                     */
                    next_due_at: string;
                };
            };
        };
        responses: {
            /** @description Nothing is answered: events come down the stream. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCallMetered: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "identifier": "0199f2c4-8a51-7c3e-b1d0-5a2f7e9c4410",
                 *       "steps": 3,
                 *       "total_cost": 250,
                 *       "next_due_at": "2026-11-20T21:04:06.593904Z"
                 *     }
                 */
                "application/json": {
                    /** @example 0199f2c4-8a51-7c3e-b1d0-5a2f7e9c4410 */
                    identifier: string;
                    next_due_at: string | null;
                    /**
                     * @description Charged steps.
                     * @example 3
                     */
                    steps: number;
                    /** @example 250 */
                    total_cost: number;
                };
            };
        };
        responses: {
            /** @description Nothing is answered: events come down the stream. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCallMissed: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "identifier": "0199f2c4-8a51-7c3e-b1d0-5a2f7e9c4410",
                 *       "channel": "3f1d2a60-7c5b-5e0a-9a53-0f6a1c2b7d11",
                 *       "call_type": "video",
                 *       "student_id": 12,
                 *       "teacher_id": 7
                 *     }
                 */
                "application/json": {
                    /** @enum {string} */
                    call_type: "video" | "audio";
                    /**
                     * @description The room's uuid.
                     * @example 3f1d2a60-7c5b-5e0a-9a53-0f6a1c2b7d11
                     */
                    channel: string;
                    /** @example 0199f2c4-8a51-7c3e-b1d0-5a2f7e9c4410 */
                    identifier: string;
                    /**
                     * @description Why the system itself ended it; absent otherwise.
                     * @enum {string}
                     */
                    reason?: "ban" | "payment_required";
                    /** @example 12 */
                    student_id: number;
                    /** @example 7 */
                    teacher_id: number;
                };
            };
        };
        responses: {
            /** @description Nothing is answered: events come down the stream. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCallRejected: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "identifier": "0199f2c4-8a51-7c3e-b1d0-5a2f7e9c4410",
                 *       "channel": "3f1d2a60-7c5b-5e0a-9a53-0f6a1c2b7d11",
                 *       "call_type": "video",
                 *       "student_id": 12,
                 *       "teacher_id": 7
                 *     }
                 */
                "application/json": {
                    /** @enum {string} */
                    call_type: "video" | "audio";
                    /**
                     * @description The room's uuid.
                     * @example 3f1d2a60-7c5b-5e0a-9a53-0f6a1c2b7d11
                     */
                    channel: string;
                    /** @example 0199f2c4-8a51-7c3e-b1d0-5a2f7e9c4410 */
                    identifier: string;
                    /**
                     * @description Why the system itself ended it; absent otherwise.
                     * @enum {string}
                     */
                    reason?: "ban" | "payment_required";
                    /** @example 12 */
                    student_id: number;
                    /** @example 7 */
                    teacher_id: number;
                };
            };
        };
        responses: {
            /** @description Nothing is answered: events come down the stream. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCallRinging: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "identifier": "0199f2c4-8a51-7c3e-b1d0-5a2f7e9c4410",
                 *       "channel": "3f1d2a60-7c5b-5e0a-9a53-0f6a1c2b7d11",
                 *       "call_type": "video",
                 *       "student_id": 12,
                 *       "teacher_id": 7,
                 *       "expires_at": "2026-11-20T21:04:06.593904Z",
                 *       "student": {
                 *         "id": 12,
                 *         "name": "Awa Diallo",
                 *         "photo": "https://api.example.com/api/assets/avatar.png"
                 *       },
                 *       "teacher": {
                 *         "id": 12,
                 *         "name": "Awa Diallo",
                 *         "photo": "https://api.example.com/api/assets/avatar.png"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @enum {string} */
                    call_type: "video" | "audio";
                    /**
                     * @description The room's uuid.
                     * @example 3f1d2a60-7c5b-5e0a-9a53-0f6a1c2b7d11
                     */
                    channel: string;
                    /**
                     * Format: date-time
                     * @example 2026-11-20T21:04:06.593904Z
                     */
                    expires_at: string;
                    /** @example 0199f2c4-8a51-7c3e-b1d0-5a2f7e9c4410 */
                    identifier: string;
                    student: {
                        /** @example 12 */
                        id: number;
                        /** @example Awa Diallo */
                        name: string;
                        /** @example https://api.example.com/api/assets/avatar.png */
                        photo: string;
                    };
                    /** @example 12 */
                    student_id: number;
                    teacher: {
                        /** @example 12 */
                        id: number;
                        /** @example Awa Diallo */
                        name: string;
                        /** @example https://api.example.com/api/assets/avatar.png */
                        photo: string;
                    };
                    /** @example 7 */
                    teacher_id: number;
                };
            };
        };
        responses: {
            /** @description Nothing is answered: events come down the stream. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCallSettled: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "identifier": "0199f2c4-8a51-7c3e-b1d0-5a2f7e9c4410",
                 *       "steps": 3,
                 *       "total_cost": 250,
                 *       "total_duration": 130,
                 *       "ended_by": "student"
                 *     }
                 */
                "application/json": {
                    /** @enum {string} */
                    ended_by: "student" | "teacher" | "money" | "silence" | "ban";
                    /** @example 0199f2c4-8a51-7c3e-b1d0-5a2f7e9c4410 */
                    identifier: string;
                    /**
                     * @description Charged steps.
                     * @example 3
                     */
                    steps: number;
                    /** @example 250 */
                    total_cost: number;
                    /**
                     * @description Seconds.
                     * @example 130
                     */
                    total_duration: number;
                };
            };
        };
        responses: {
            /** @description Nothing is answered: events come down the stream. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onMessageCreated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": 12,
                 *       "room_uuid": "3f1d2a60-7c5b-5e0a-9a53-0f6a1c2b7d11",
                 *       "sender_id": 12,
                 *       "message": "Bonjour",
                 *       "time": "5 minutes ago",
                 *       "status": "unread",
                 *       "type": "message",
                 *       "message_link": "https://files.example.com/exercise.pdf",
                 *       "created_at": "2026-11-20T21:04:06.593904Z",
                 *       "updated_at": "2026-11-20T21:04:06.593904Z"
                 *     }
                 */
                "application/json": components["schemas"]["MessagingMessage"];
            };
        };
        responses: {
            /** @description Nothing is answered: events come down the stream. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onMessageRead: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "room_uuid": "3f1d2a60-7c5b-5e0a-9a53-0f6a1c2b7d11",
                 *       "up_to": 1042
                 *     }
                 */
                "application/json": {
                    /** @example 3f1d2a60-7c5b-5e0a-9a53-0f6a1c2b7d11 */
                    room_uuid: string;
                    /** @example 1042 */
                    up_to: number;
                };
            };
        };
        responses: {
            /** @description Nothing is answered: events come down the stream. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onReportCreated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": 12,
                 *       "user_id": 7,
                 *       "reason": "spam",
                 *       "details": "He asked me to pay outside of the app.",
                 *       "room_uuid": "3f1d2a60-7c5b-5e0a-9a53-0f6a1c2b7d11",
                 *       "identifier": "0199f2c4-8a51-7c3e-b1d0-5a2f7e9c4410",
                 *       "status": "open",
                 *       "created_at": "2026-11-20T21:04:06.593904Z",
                 *       "updated_at": "2026-11-20T21:04:06.593904Z",
                 *       "reporter": {
                 *         "id": 12,
                 *         "name": "Awa Diallo"
                 *       },
                 *       "user": {
                 *         "id": 12,
                 *         "name": "Awa Diallo"
                 *       },
                 *       "note": "Warned by mail."
                 *     }
                 */
                "application/json": components["schemas"]["MessagingAdminReport"];
            };
        };
        responses: {
            /** @description Nothing is answered: events come down the stream. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onResync: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "message": "Fetch again."
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    message: "Fetch again.";
                };
            };
        };
        responses: {
            /** @description No answer: the event is sent on the stream. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onRoomCreated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "uuid": "3f1d2a60-7c5b-5e0a-9a53-0f6a1c2b7d11",
                 *       "rtc_token": "007eJxTYNi5",
                 *       "student": {
                 *         "id": 12,
                 *         "name": "Awa Diallo",
                 *         "email": "awa@example.com",
                 *         "level_study": "Terminale",
                 *         "subjects_interest": "Algebra",
                 *         "photo": "https://api.example.com/api/assets/avatar.png"
                 *       },
                 *       "teacher": {
                 *         "id": 12,
                 *         "name": "Kossi Mensah",
                 *         "email": "awa@example.com",
                 *         "domains": "Mathematics, Physics",
                 *         "experience": 4,
                 *         "availability": "Weekdays after 5 pm",
                 *         "photo": "https://api.example.com/api/assets/avatar.png"
                 *       },
                 *       "last_message": {
                 *         "id": 12,
                 *         "room_uuid": "3f1d2a60-7c5b-5e0a-9a53-0f6a1c2b7d11",
                 *         "sender_id": 12,
                 *         "message": "Bonjour",
                 *         "time": "5 minutes ago",
                 *         "status": "unread",
                 *         "type": "message",
                 *         "message_link": "https://files.example.com/exercise.pdf",
                 *         "created_at": "2026-11-20T21:04:06.593904Z",
                 *         "updated_at": "2026-11-20T21:04:06.593904Z"
                 *       },
                 *       "created_at": "2026-11-20T21:04:06.593904Z",
                 *       "updated_at": "2026-11-20T21:04:06.593904Z"
                 *     }
                 */
                "application/json": components["schemas"]["MessagingRoom"];
            };
        };
        responses: {
            /** @description Nothing is answered: events come down the stream. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onRoomRead: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "room_uuid": "3f1d2a60-7c5b-5e0a-9a53-0f6a1c2b7d11",
                 *       "up_to": 1042,
                 *       "unread": 0
                 *     }
                 */
                "application/json": {
                    /** @example 3f1d2a60-7c5b-5e0a-9a53-0f6a1c2b7d11 */
                    room_uuid: string;
                    /** @example 0 */
                    unread: number;
                    /** @example 1042 */
                    up_to: number;
                };
            };
        };
        responses: {
            /** @description Nothing is answered: events come down the stream. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onSupportMessage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": 12,
                 *       "room_uuid": "3f1d2a60-7c5b-5e0a-9a53-0f6a1c2b7d11",
                 *       "sender_id": 12,
                 *       "message": "Bonjour",
                 *       "time": "5 minutes ago",
                 *       "status": "unread",
                 *       "type": "message",
                 *       "message_link": "https://files.example.com/exercise.pdf",
                 *       "created_at": "2026-11-20T21:04:06.593904Z",
                 *       "updated_at": "2026-11-20T21:04:06.593904Z"
                 *     }
                 */
                "application/json": components["schemas"]["MessagingMessage"];
            };
        };
        responses: {
            /** @description Nothing is answered: events come down the stream. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onWalletBalance: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "balance": 5000,
                 *       "available": 4800,
                 *       "held": 200
                 *     }
                 */
                "application/json": {
                    /** @example 4800 */
                    available: number;
                    /** @example 5000 */
                    balance: number;
                    /** @example 200 */
                    held: number;
                };
            };
        };
        responses: {
            /** @description Nothing is answered: events come down the stream. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
/** Paths whose POST takes an `Idempotency-Key`. */
export const idempotentPaths: (keyof paths)[] = [
    "/api/admin/calls/{identifier}/refund",
    "/api/admin/rooms/{uuid}/messages",
    "/api/bookings",
    "/api/calls/{identifier}/review",
    "/api/deposits",
    "/api/reports",
    "/api/rooms/{uuid}/messages",
    "/api/support/messages",
    "/api/withdrawals"
];
