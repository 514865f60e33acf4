// Generated from the gateway's OpenAPI document by `npm run generate -w shared/client`; do not edit.

export interface paths {
    "/api/admin/admins": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Administrators */
        get: operations["getAdminAdmins"];
        put?: never;
        /** Create an administrator */
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
        /** An administrator */
        get: operations["getAdminAdminsId"];
        /** Activate or deactivate an administrator */
        put: operations["putAdminAdminsId"];
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
        /** Who changed what, in every service */
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
        /** Log in as an administrator */
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
        /** End the token in use */
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
        /** The administrator who asks */
        get: operations["getAdminAuthMe"];
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
         * @description Teacher and platform give back pro rata. At most what was charged and not refunded yet; 409 when the teacher's money is gone. Answers the student's payment.
         */
        post: operations["postAdminCallsIdentifierRefund"];
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
        /** One deposit */
        get: operations["getAdminDepositsId"];
        /**
         * Decide about a deposit
         * @description Into `success` credits the user; out of it takes the money back, 409 when it is gone.
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
        /** Deposits, newest first */
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
        /** Add a plan */
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
        /** Change a plan */
        put: operations["putAdminPlansId"];
        post?: never;
        /** Delete a plan that nobody has */
        delete: operations["deleteAdminPlansId"];
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
         * @description The newest 1,000; older ones follow the room `before`.
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
         * @description Chronological: the newest 500, or the window that the cursors ask for. Fetching marks them as read.
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
    "/api/admin/rooms/{uuid}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Reply to a user */
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
        /** Add a call service */
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
         * @description Calls that have been accepted keep their prices.
         */
        put: operations["putAdminServicesId"];
        post?: never;
        /** Delete a call service that no call has used */
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
        /** A setting */
        get: operations["getAdminSettingsId"];
        /**
         * Change a setting
         * @description Takes effect in every service within two seconds.
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
        /** Settings */
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
        /** Add a skill */
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
        /** Rename a skill */
        put: operations["putAdminSkillsId"];
        post?: never;
        /** Delete a skill that nobody has */
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
         * Figures of the dashboard
         * @description At most five seconds old; a service that is down contributes what it told last.
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
    "/api/admin/users/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A student or teacher */
        get: operations["getAdminUsersId"];
        /**
         * Ban, readmit or verify
         * @description A ban ends every session within a second; `status: active` also ends a lock-out.
         */
        put: operations["putAdminUsersId"];
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
        /** Find students and teachers */
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
        /** One withdrawal */
        get: operations["getAdminWithdrawalsId"];
        /**
         * Decide about a withdrawal
         * @description `pending` claims it, `success` pays out what is held, `failed` and `canceled` release it. Only a super administrator takes it out of `success`. 409 when money would have to be held that is not available.
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
        /** Withdrawals, newest first */
        post: operations["postAdminWithdrawalsall"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/assets/avatar.svg": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The default photo */
        get: operations["getAssetsAvatar.svg"];
        put?: never;
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
         * A further token for a device
         * @description Updates the device key that push goes to. The caller's own token stays valid.
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
         * @description Every refusal is the same 404, so that nobody learns which accounts exist.
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
        /** Send a login code to a phone */
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
        /** End the token in use */
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
         * @description Sends a code by e-mail, and by SMS when `gauth_type` is `phone_number`. Social accounts are verified at once.
         */
        post: operations["postAuthRegister"];
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
        /** Verify an account with the code that was sent */
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
         * @description With the `reset_token`, or from the same client within ten minutes of entering the code.
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
         * @description Always the same answer, so that nobody learns which accounts exist.
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
        /** Turn the code into permission for one reset */
        post: operations["postAuthResetPasswordVerifyCode"];
        delete?: never;
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
        /** API tokens of the caller */
        get: operations["getAuthTokens"];
        put?: never;
        /**
         * Create an API token
         * @description The token itself is in this answer only.
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
        /** Delete an API token */
        delete: operations["deleteAuthTokensId"];
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
         * @description Reserves the first step and fixes the prices. Repeated, the same transaction answers.
         */
        post: operations["postCallAccept"];
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
         * @description The server owns the meter: every step that is due and not charged yet is charged once. Nothing due is a success.
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
        /** Stop calling a teacher */
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
        /** Hang up */
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
         * @description Repeated while the call rings, the same call answers. The balance must cover the first step.
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
        /** Reject a ringing call */
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
         * @description A fresh one when half of its life is over.
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
         * @description Older ones: give the identifier of the last call as `before`.
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
        /** Show one of your calls, with its cost, duration and steps */
        get: operations["getCallsIdentifier"];
        put?: never;
        post?: never;
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
        /** Page of the sandbox payment provider */
        get: operations["getCheckoutDepositToken"];
        put?: never;
        /** Pay, fail or cancel at the sandbox payment provider */
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
        /** Where a payment provider sends people back to */
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
        /** Style of the payment pages */
        get: operations["getCheckoutStyle.css"];
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
        /** Own deposits, newest first */
        get: operations["getDeposits"];
        put?: never;
        /** Top up: creates a deposit and the link to pay it */
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
        /** One of the own deposits */
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
         * Live events
         * @description Server-Sent Events: messages, calls, balance. `Last-Event-ID` resumes for 48 hours; the event `resync` means that what was missed is not known any more: fetch again. A comment line comes every 20 seconds.
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
    "/api/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Own profile */
        get: operations["getMe"];
        /**
         * Change the own profile
         * @description A new `password` needs `current_password` and ends every session. A new `email` or `phone_number` is sent a code first (422 on `code`) and takes effect when the request is repeated with it.
         */
        put: operations["putMe"];
        post?: never;
        /**
         * Delete the own account
         * @description With `password`, or with the `code` that a request without either sends. 409 during a call, with an open withdrawal, or with money left unless `forfeit` is true.
         */
        delete: operations["deleteMe"];
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
         * @description Administrators see all and may filter by `user_id`; users see their own, whatever `user_id` says.
         */
        post: operations["postPaymentsall"];
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
        /** Plans: the ids that `plan` takes */
        get: operations["getPlans"];
        put?: never;
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
        /** The caller's rooms, latest activity first */
        get: operations["getRooms"];
        put?: never;
        /**
         * Open the room with a teacher
         * @description There is one room per student and teacher: opened again, it is the same.
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
         * @description Chronological: the newest 500, or the window that the cursors ask for. Statuses are those before this fetch, which marks the page read.
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
    "/api/rooms/{uuid}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Messages of a room
         * @description Chronological: the newest 500, or the window that the cursors ask for. Statuses are those before this fetch, which marks the page read.
         */
        get: operations["getRoomsUuidMessages"];
        put?: never;
        /** Send a message */
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
         * @description Up to the message `up_to`, or everything. Answers how far the caller has read (0: nothing yet).
         */
        post: operations["postRoomsUuidRead"];
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
        /** List the call services and their prices */
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
        /** Skills: the ids that `domains` takes */
        get: operations["getSkills"];
        put?: never;
        post?: never;
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
         * @description Opens the room when there is none. Chronological; fetching marks replies as read.
         */
        get: operations["getSupportMessages"];
        put?: never;
        /** Write to support */
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
         * @description `q` searches name, skills and bio without regard to case and accents; every word must be there.
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
        /** Public profile of a teacher */
        get: operations["getTeachersId"];
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
        /** Own balance */
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
        /** Own statement, newest first */
        get: operations["getWalletTransactions"];
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
         * What a payment provider tells about deposits
         * @description Signed over the raw body. Answers the same for an event that was heard before.
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
        /** Own withdrawals, newest first */
        get: operations["getWithdrawals"];
        put?: never;
        /** Ask for a payout; the amount is held at once */
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
        /** One of the own withdrawals */
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
        /** Take back a withdrawal that no administrator has claimed */
        post: operations["postWithdrawalsIdCancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        IdentityAdmin: {
            created_at: string | null;
            /** @example awa@example.com */
            email: string;
            /** @example 12 */
            id: number;
            /** @example default */
            level: string;
            /** @example Awa Diallo */
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
            /** @example Awa Diallo */
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
            /** @example Awa Diallo */
            name: string;
            /** @example 100 */
            points: number;
            /**
             * Format: date-time
             * @example 2026-11-20T21:04:06.593904Z
             */
            updated_at: string;
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
            /** @example Awa Diallo */
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
            /** @example Awa Diallo */
            name: string;
            /**
             * Format: date-time
             * @example 2026-11-20T21:04:06.593904Z
             */
            updated_at: string;
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
            /** @example 12 */
            id: number;
            /** @example Awa Diallo */
            name: string;
            /** @example true */
            online: boolean;
            /** @example https://api.example.com/api/assets/avatar.svg */
            photo: string;
            /** @example 1 */
            plan_id: number | null;
            /** @example 18 */
            transactions_count: number;
            /** @enum {string} */
            verified: "0" | "1";
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
            /** @example https://api.example.com/api/assets/avatar.svg */
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
            /** @enum {string} */
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
            /** @enum {string} */
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
            /** @example https://api.example.com/api/assets/avatar.svg */
            photo: string;
            /**
             * @description Real for the viewer himself, 0 for anybody else.
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
            /** @example https://api.example.com/api/assets/avatar.svg */
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
            /** @example Awa Diallo */
            name: string;
            /** @example https://api.example.com/api/assets/avatar.svg */
            photo: string;
        };
        NestedRefusal: {
            message: {
                message: string;
            };
            statusCode: number;
            /** @constant */
            success: false;
        };
        PaymentsRefusal: {
            data: {
                /** @constant */
                message: "Please authenticate to continue.";
                statusCode: number;
                /** @constant */
                success: false;
            };
        };
        Problem: {
            /** @example 493021 */
            code: string;
            errors?: {
                [key: string]: string[];
            };
            /** @example Bonjour */
            message: string;
        };
        RateLimitRefusal: {
            /** @constant */
            message: "Too Many Attempts.";
        };
        Refusal: {
            message: string;
            statusCode: number;
            /** @constant */
            success: false;
        };
        ValidationRefusal: {
            errors: {
                [key: string]: string[];
            };
            message: string;
        };
    };
    responses: {
        /** @description Malformed or too large input (400, 405, 413, 415), or a fault here (500, 502, 503, 504) */
        Failed: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Status-Code": components["headers"]["X-Status-Code"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Refusal"];
            };
        };
        /** @description The input does not fit */
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
                /** @description When the budget is whole again, in seconds since 1970 */
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
        /** @description With `strict` a refusal has its own status on the HTTP line */
        XEnvelope: "strict";
    };
    requestBodies: never;
    headers: {
        /** @description Requests allowed in a minute */
        "X-RateLimit-Limit": number;
        /** @description Requests left in this minute */
        "X-RateLimit-Remaining": number;
        /** @description Names this request in every log */
        "X-Request-Id": string;
        /** @description The status that the body tells */
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
                /** @description With `strict` a refusal has its own status on the HTTP line */
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
                    "application/json": {
                        data: components["schemas"]["IdentityAdmin"][];
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
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
                /** @description With `strict` a refusal has its own status on the HTTP line */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
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
                    "application/json": {
                        /** @example The administrator has been created. */
                        data: string;
                        /** @constant */
                        statusCode: 201;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            201: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
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
            /** @description With `X-Envelope: strict` */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
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
                /** @description With `strict` a refusal has its own status on the HTTP line */
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
                    "application/json": {
                        data: components["schemas"]["IdentityAdmin"];
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
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
                /** @description With `strict` a refusal has its own status on the HTTP line */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    status: "active" | "inactive";
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
                    "application/json": {
                        data: {
                            /** @example Bonjour */
                            message: string;
                        };
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            409: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postAdminAuditall: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict` a refusal has its own status on the HTTP line */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @example 1 */
                    admin_id?: number;
                    /** @example awa */
                    filter_value?: string;
                    /**
                     * Format: date
                     * @example 2026-11-01
                     */
                    from?: string;
                    /** @example 1 */
                    page?: number;
                    /** @example 15 */
                    pageItems?: number;
                    /**
                     * Format: date
                     * @example 2026-11-30
                     */
                    to?: string;
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
                    } | components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
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
                /** @description With `strict` a refusal has its own status on the HTTP line */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @example awa@example.com */
                    email?: string;
                    /** @example a good secret */
                    password?: string;
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
                    } | components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
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
                /** @description With `strict` a refusal has its own status on the HTTP line */
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
                    "application/json": {
                        data: {
                            /** @example Bonjour */
                            message: string;
                        };
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
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
                /** @description With `strict` a refusal has its own status on the HTTP line */
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
                    "application/json": {
                        data: components["schemas"]["IdentityAdmin"];
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
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
                /** @description With `strict` a refusal has its own status on the HTTP line */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path: {
                identifier: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @example 5000 */
                    amount?: number;
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
                            /** @enum {string} */
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
                                /** @example Ada Mensah */
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
                    } | components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            409: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
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
                /** @description With `strict` a refusal has its own status on the HTTP line */
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
                            /** @enum {string} */
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
                                /** @example Ada Mensah */
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
                    } | components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
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
                /** @description With `strict` a refusal has its own status on the HTTP line */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @example Paid by transfer */
                    details?: string;
                    /** @example BANK-77 */
                    ref?: string;
                    /** @enum {string} */
                    status: "initiated" | "pending" | "success" | "failed" | "canceled";
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
                            /** @enum {string} */
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
                                /** @example Ada Mensah */
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
                    } | components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            409: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
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
                /** @description With `strict` a refusal has its own status on the HTTP line */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @example awa */
                    filter_value?: string;
                    /**
                     * Format: date
                     * @example 2026-11-01
                     */
                    from?: string;
                    /** @example 1 */
                    page?: number;
                    /** @example 15 */
                    pageItems?: number;
                    /** @enum {string} */
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
                                /** @enum {string} */
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
                                    /** @example Ada Mensah */
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
                    } | components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
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
                /** @description With `strict` a refusal has its own status on the HTTP line */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
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
                    "application/json": {
                        data: components["schemas"]["IdentityPlan"];
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
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
                /** @description With `strict` a refusal has its own status on the HTTP line */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
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
                    "application/json": {
                        data: components["schemas"]["IdentityPlan"];
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
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
                /** @description With `strict` a refusal has its own status on the HTTP line */
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
                    "application/json": {
                        data: {
                            /** @example Bonjour */
                            message: string;
                        };
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            409: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getAdminRooms: {
        parameters: {
            query?: {
                before?: string;
                limit?: number;
            };
            header?: {
                /** @description With `strict` a refusal has its own status on the HTTP line */
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
                    "application/json": {
                        data: components["schemas"]["MessagingSupportRoomItem"][];
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
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
                /** @description With `strict` a refusal has its own status on the HTTP line */
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
                    "application/json": {
                        data: components["schemas"]["MessagingSupportRoom"];
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
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
                /** @description With `strict` a refusal has its own status on the HTTP line */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path: {
                uuid: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * @description The app's own id of this message: sent again, it answers the first message instead of making another.
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
                    "application/json": {
                        data: components["schemas"]["MessagingMessage"];
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            409: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
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
                /** @description With `strict` a refusal has its own status on the HTTP line */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
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
                    } | components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
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
                /** @description With `strict` a refusal has its own status on the HTTP line */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
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
                    } | components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            409: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
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
                /** @description With `strict` a refusal has its own status on the HTTP line */
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
                    "application/json": {
                        data: {
                            /** @example Bonjour */
                            message: string;
                        };
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            409: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
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
                /** @description With `strict` a refusal has its own status on the HTTP line */
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
                    "application/json": {
                        data: components["schemas"]["IdentitySetting"];
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
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
                /** @description With `strict` a refusal has its own status on the HTTP line */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @example 100 */
                    value: number;
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
                    "application/json": {
                        data: components["schemas"]["IdentitySetting"];
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
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
                /** @description With `strict` a refusal has its own status on the HTTP line */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @example awa */
                    filter_value?: string;
                    /** @example 1 */
                    page?: number;
                    /** @example 15 */
                    pageItems?: number;
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
                    } | components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
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
                /** @description With `strict` a refusal has its own status on the HTTP line */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @example Mathematics */
                    name: string;
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
                    "application/json": {
                        data: components["schemas"]["IdentitySkill"];
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
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
                /** @description With `strict` a refusal has its own status on the HTTP line */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @example Mathematics */
                    name: string;
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
                    "application/json": {
                        data: components["schemas"]["IdentitySkill"];
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
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
                /** @description With `strict` a refusal has its own status on the HTTP line */
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
                    "application/json": {
                        data: {
                            /** @example Bonjour */
                            message: string;
                        };
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            409: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
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
                /** @description With `strict` a refusal has its own status on the HTTP line */
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
                    } | components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getAdminUsersId: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict` a refusal has its own status on the HTTP line */
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
                    "application/json": {
                        data: components["schemas"]["IdentityUser"];
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
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
                /** @description With `strict` a refusal has its own status on the HTTP line */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    status?: "active" | "banned";
                    /** @example true */
                    verified?: boolean;
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
                    "application/json": {
                        data: components["schemas"]["IdentityUser"];
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postAdminUsersall: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict` a refusal has its own status on the HTTP line */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @example awa */
                    filter_value?: string;
                    /**
                     * Format: date
                     * @example 2026-11-01
                     */
                    from?: string;
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
                    } | components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
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
                /** @description With `strict` a refusal has its own status on the HTTP line */
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
                            /** @enum {string} */
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
                                /** @example Ada Mensah */
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
                    } | components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
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
                /** @description With `strict` a refusal has its own status on the HTTP line */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @example Paid by transfer */
                    details?: string;
                    /** @example BANK-77 */
                    ref?: string;
                    /** @enum {string} */
                    status: "initiated" | "pending" | "success" | "failed" | "canceled";
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
                            /** @enum {string} */
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
                                /** @example Ada Mensah */
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
                    } | components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            409: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
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
                /** @description With `strict` a refusal has its own status on the HTTP line */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @example awa */
                    filter_value?: string;
                    /**
                     * Format: date
                     * @example 2026-11-01
                     */
                    from?: string;
                    /** @example 1 */
                    page?: number;
                    /** @example 15 */
                    pageItems?: number;
                    /** @enum {string} */
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
                    "application/json": {
                        data: {
                            /** @example 1 */
                            current_page: number;
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
                                /** @enum {string} */
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
                                    /** @example Ada Mensah */
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
                    } | components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    "getAssetsAvatar.svg": {
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
                    "image/svg+xml": string;
                };
            };
        };
    };
    postAuthGetToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict` a refusal has its own status on the HTTP line */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
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
                    } | components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
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
                /** @description With `strict` a refusal has its own status on the HTTP line */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @example fcm-device-registration-token */
                    device_key?: string;
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
                    } | components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
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
                /** @description With `strict` a refusal has its own status on the HTTP line */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
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
                    "application/json": {
                        data: {
                            /** @example Bonjour */
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
                /** @description With `strict` a refusal has its own status on the HTTP line */
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
                    "application/json": {
                        data: {
                            /** @example Bonjour */
                            message: string;
                        };
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
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
                /** @description With `strict` a refusal has its own status on the HTTP line */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
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
                    /** @example https://api.example.com/api/assets/avatar.svg */
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
                    "application/json": {
                        data: {
                            /** @example Bonjour */
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
    postAuthRegisterVerify: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict` a refusal has its own status on the HTTP line */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @example 493021 */
                    code: string;
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
                    "application/json": {
                        data: {
                            /** @example Bonjour */
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
                    } | components["schemas"]["Refusal"] | components["schemas"]["NestedRefusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
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
                /** @description With `strict` a refusal has its own status on the HTTP line */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
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
                    "application/json": {
                        data: {
                            /** @example Bonjour */
                            message: string;
                        };
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
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
                /** @description With `strict` a refusal has its own status on the HTTP line */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
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
                    "application/json": {
                        data: {
                            /** @example Bonjour */
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
                /** @description With `strict` a refusal has its own status on the HTTP line */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
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
                    "application/json": {
                        data: {
                            /** @example Bonjour */
                            message: string;
                            /** @example kT3vB0xY8mQ2 */
                            reset_token: string;
                        };
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getAuthTokens: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict` a refusal has its own status on the HTTP line */
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
                    "application/json": {
                        data: components["schemas"]["IdentityApiToken"][];
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
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
                /** @description With `strict` a refusal has its own status on the HTTP line */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
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
                    } | components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            409: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
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
                /** @description With `strict` a refusal has its own status on the HTTP line */
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
                    "application/json": {
                        data: {
                            /** @example Bonjour */
                            message: string;
                        };
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
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
                /** @description With `strict` a refusal has its own status on the HTTP line */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
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
                                /** @example Awa Diallo */
                                name: string;
                                /**
                                 * Format: date-time
                                 * @example 2026-11-20T21:04:06.593904Z
                                 */
                                updated_at: string;
                            };
                            /** @example 12|mQ4vJ8sT0bXyZ2aC6dE9fG1hK3nP5rU7wLoIqBtVj1c2d3e4 */
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
                                    /** @example Awa Diallo */
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
                                    /** @example Awa Diallo */
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
                                    /** @example Awa Diallo */
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
                    } | components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            402: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
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
                /** @description With `strict` a refusal has its own status on the HTTP line */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @example 0199f2c4-8a51-7c3e-b1d0-5a2f7e9c4410 */
                    identifier: string;
                };
            };
        };
        responses: {
            /** @description Success, or a refusal with `statusCode` 401, 402, 403, 404, 409 */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: unknown[];
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            402: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            409: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
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
                /** @description With `strict` a refusal has its own status on the HTTP line */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
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
                    "application/json": {
                        data: unknown[];
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
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
                /** @description With `strict` a refusal has its own status on the HTTP line */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
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
                    "application/json": {
                        data: unknown[];
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
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
                /** @description With `strict` a refusal has its own status on the HTTP line */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
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
                    "application/json": {
                        data: {
                            /** @example 3f1d2a60-7c5b-5e0a-9a53-0f6a1c2b7d11 */
                            channel: string;
                            /** @example Bonjour */
                            message: string;
                            /** @example 12|mQ4vJ8sT0bXyZ2aC6dE9fG1hK3nP5rU7wLoIqBtVj1c2d3e4 */
                            token: string;
                        };
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            402: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            409: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
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
                /** @description With `strict` a refusal has its own status on the HTTP line */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
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
                    "application/json": {
                        data: unknown[];
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
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
                /** @description With `strict` a refusal has its own status on the HTTP line */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
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
                    "application/json": {
                        data: {
                            /** @example 3f1d2a60-7c5b-5e0a-9a53-0f6a1c2b7d11 */
                            channel: string;
                            /**
                             * Format: date-time
                             * @example 2026-11-20T21:04:06.593904Z
                             */
                            expires_at: string;
                            /** @example 12|mQ4vJ8sT0bXyZ2aC6dE9fG1hK3nP5rU7wLoIqBtVj1c2d3e4 */
                            token: string;
                        };
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            409: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
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
                /** @description With `strict` a refusal has its own status on the HTTP line */
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
                            /** @example 0199f2c4-8a51-7c3e-b1d0-5a2f7e9c4410 */
                            identifier: string;
                            /** @enum {string} */
                            state: "ringing" | "active" | "ended" | "rejected" | "missed" | "canceled";
                            /** @example 3 */
                            steps: number;
                            /** @example 12 */
                            student_id: number;
                            /** @example 7 */
                            teacher_id: number;
                            /** @example 250 */
                            total_cost: number;
                            /** @example 130 */
                            total_duration: number | null;
                        }[];
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
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
                /** @description With `strict` a refusal has its own status on the HTTP line */
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
                            /** @example 0199f2c4-8a51-7c3e-b1d0-5a2f7e9c4410 */
                            identifier: string;
                            /** @enum {string} */
                            state: "ringing" | "active" | "ended" | "rejected" | "missed" | "canceled";
                            /** @example 3 */
                            steps: number;
                            /** @example 12 */
                            student_id: number;
                            /** @example 7 */
                            teacher_id: number;
                            /** @example 250 */
                            total_cost: number;
                            /** @example 130 */
                            total_duration: number | null;
                        };
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
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
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
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
        requestBody?: {
            content: {
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
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description invalid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
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
        };
    };
    "getCheckoutStyle.css": {
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
        };
    };
    getDeposits: {
        parameters: {
            query?: {
                before?: number;
                limit?: number;
            };
            header?: {
                /** @description With `strict` a refusal has its own status on the HTTP line */
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
                            /** @enum {string} */
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
                    } | components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
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
                /** @description With `strict` a refusal has its own status on the HTTP line */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
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
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
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
                            /** @enum {string} */
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
                    } | components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            409: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
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
                /** @description With `strict` a refusal has its own status on the HTTP line */
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
                            /** @enum {string} */
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
                    } | components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getEvents: {
        parameters: {
            query?: never;
            header?: {
                "Last-Event-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Events */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
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
                    "application/json": components["schemas"]["Refusal"];
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
                /** @description With `strict` a refusal has its own status on the HTTP line */
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
                    "application/json": {
                        data: components["schemas"]["IdentityUser"];
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
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
                /** @description With `strict` a refusal has its own status on the HTTP line */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
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
                    /** @example a good secret */
                    password?: string;
                    /** @example +22890112233 */
                    phone_number?: string;
                    /** @example https://api.example.com/api/assets/avatar.svg */
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
                    "application/json": {
                        data: components["schemas"]["IdentityUser"];
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
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
                /** @description With `strict` a refusal has its own status on the HTTP line */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
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
                    "application/json": {
                        data: {
                            /** @example Bonjour */
                            message: string;
                        };
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            409: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postPaymentsall: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict` a refusal has its own status on the HTTP line */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @example awa */
                    filter_value?: string;
                    /**
                     * Format: date
                     * @example 2026-11-01
                     */
                    from?: string;
                    /** @example 1 */
                    page?: number;
                    /** @example 15 */
                    pageItems?: number;
                    /** @enum {string} */
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
                                /** @enum {string} */
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
                    } | components["schemas"]["Refusal"] | components["schemas"]["PaymentsRefusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getPlans: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict` a refusal has its own status on the HTTP line */
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
    getRooms: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict` a refusal has its own status on the HTTP line */
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
                    "application/json": {
                        data: components["schemas"]["MessagingRoom"][];
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    postRooms: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict` a refusal has its own status on the HTTP line */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
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
                    "application/json": {
                        data: components["schemas"]["MessagingRoom"];
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
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
                /** @description With `strict` a refusal has its own status on the HTTP line */
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
                    "application/json": {
                        data: components["schemas"]["MessagingMessageWithSender"][];
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
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
                /** @description With `strict` a refusal has its own status on the HTTP line */
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
                    "application/json": {
                        data: components["schemas"]["MessagingMessage"][];
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
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
                /** @description With `strict` a refusal has its own status on the HTTP line */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path: {
                uuid: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * @description The app's own id of this message: sent again, it answers the first message instead of making another.
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
                    "application/json": {
                        data: components["schemas"]["MessagingMessage"];
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            409: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
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
                /** @description With `strict` a refusal has its own status on the HTTP line */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path: {
                uuid: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
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
                    } | components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getServices: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict` a refusal has its own status on the HTTP line */
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
                /** @description With `strict` a refusal has its own status on the HTTP line */
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
                /** @description With `strict` a refusal has its own status on the HTTP line */
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
                    "application/json": {
                        data: components["schemas"]["MessagingMessage"][];
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
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
                /** @description With `strict` a refusal has its own status on the HTTP line */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * @description The app's own id of this message: sent again, it answers the first message instead of making another.
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
                    "application/json": {
                        data: components["schemas"]["MessagingMessage"];
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            409: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
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
                online?: boolean;
                page?: number;
                pageItems?: number;
                plan_id?: number;
                q?: string;
                skill_id?: number;
            };
            header?: {
                /** @description With `strict` a refusal has its own status on the HTTP line */
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
                    } | components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
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
                /** @description With `strict` a refusal has its own status on the HTTP line */
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
                    "application/json": {
                        data: components["schemas"]["IdentityTeacher"];
                        /** @constant */
                        statusCode: 200;
                        /** @constant */
                        success: true;
                    } | components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
    getWallet: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `strict` a refusal has its own status on the HTTP line */
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
                    } | components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
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
                /** @description With `strict` a refusal has its own status on the HTTP line */
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
                    } | components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
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
                    "application/json": {
                        /** @constant */
                        received: true;
                    };
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getWithdrawals: {
        parameters: {
            query?: {
                before?: number;
                limit?: number;
            };
            header?: {
                /** @description With `strict` a refusal has its own status on the HTTP line */
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
                            /** @enum {string} */
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
                    } | components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
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
                /** @description With `strict` a refusal has its own status on the HTTP line */
                "X-Envelope"?: components["parameters"]["XEnvelope"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
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
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
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
                            /** @enum {string} */
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
                    } | components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            402: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            409: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
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
                /** @description With `strict` a refusal has its own status on the HTTP line */
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
                            /** @enum {string} */
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
                    } | components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
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
                /** @description With `strict` a refusal has its own status on the HTTP line */
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
                            /** @enum {string} */
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
                    } | components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description With `X-Envelope: strict` */
            409: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Status-Code": components["headers"]["X-Status-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Failed"];
        };
    };
}
