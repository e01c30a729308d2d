export interface paths {
    "/api/auth/sign-up/email": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign up; a code is mailed
         * @description Open to anyone.
         */
        post: operations["signUp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/email-otp/send-verification-otp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mail a new code
         * @description Open to anyone.
         */
        post: operations["sendCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/email-otp/verify-email": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Verify the address with the mailed code
         * @description Open to anyone.
         */
        post: operations["verifyEmail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/sign-in/email": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in
         * @description Who has a second factor is asked for it next: the answer says so, and its cookie holds the challenge.
         *
         *     Open to anyone.
         */
        post: operations["signIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/two-factor/verify-totp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in: the code of the authenticator app
         * @description Five attempts for a sign-in. `state: ended` in a refusal means to begin again with the password.
         *
         *     Open to anyone.
         */
        post: operations["verifyTotp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/two-factor/verify-backup-code": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in: a backup code in place of the app
         * @description Each is good once. Five attempts for a sign-in.
         *
         *     Open to anyone.
         */
        post: operations["verifyBackupCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/sign-out": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign out
         * @description Open to anyone.
         */
        post: operations["signOut"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/request-password-reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mail a link to choose a new password
         * @description Open to anyone.
         */
        post: operations["requestPasswordReset"];
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
         * Choose a new password; ends all sessions
         * @description Open to anyone.
         */
        post: operations["resetPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Who am I
         * @description For whoever is signed in. An API token without scopes is accepted.
         */
        get: operations["readMe"];
        put?: never;
        post?: never;
        /**
         * Delete my account, for good
         * @description Refused while you are the only owner of a workspace, or the only instance admin.
         *
         *     For whoever is signed in. No API token is accepted.
         */
        delete: operations["deleteMe"];
        options?: never;
        head?: never;
        /**
         * Change my name, locale, time zone or current workspace
         * @description For whoever is signed in. No API token is accepted.
         */
        patch: operations["changeMe"];
        trace?: never;
    };
    "/api/v1/me/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download all that is kept about me
         * @description For whoever is signed in. No API token is accepted.
         */
        get: operations["exportMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/me/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change my password; ends all other sessions
         * @description For whoever is signed in. No API token is accepted.
         */
        post: operations["changePassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/me/email": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the change of address that waits for its codes
         * @description For whoever is signed in. No API token is accepted.
         */
        get: operations["readEmailChange"];
        put?: never;
        /**
         * Change my address; a code is mailed to the present and to the new one
         * @description A new request takes the place of the former one.
         *
         *     For whoever is signed in. No API token is accepted.
         */
        post: operations["requestEmailChange"];
        /**
         * Take back the change of address
         * @description For whoever is signed in. No API token is accepted.
         */
        delete: operations["cancelEmailChange"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/me/email/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirm the change of address with both codes; ends all other sessions
         * @description Five attempts for a request.
         *
         *     For whoever is signed in. No API token is accepted.
         */
        post: operations["confirmEmailChange"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/me/two-factor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set up two-factor sign-in
         * @description It is on once a code of the app has confirmed it. Until then a new call makes a new secret.
         *
         *     For whoever is signed in. No API token is accepted.
         */
        post: operations["setUpTwoFactor"];
        /**
         * Turn two-factor sign-in off
         * @description For whoever is signed in. No API token is accepted.
         */
        delete: operations["turnOffTwoFactor"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/me/two-factor/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Turn two-factor sign-in on with a code of the app
         * @description For whoever is signed in. No API token is accepted.
         */
        post: operations["confirmTwoFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/me/two-factor/backup-codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make new backup codes; the former ones are dead
         * @description For whoever is signed in. No API token is accepted.
         */
        post: operations["renewBackupCodes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/me/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List where I am signed in, newest first
         * @description For whoever is signed in. No API token is accepted.
         */
        get: operations["listSessions"];
        put?: never;
        post?: never;
        /**
         * End all of my sessions but this one
         * @description For whoever is signed in. No API token is accepted.
         */
        delete: operations["endOtherSessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/me/sessions/{id}": {
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
         * End one of my sessions
         * @description For whoever is signed in. No API token is accepted.
         */
        delete: operations["endSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List everybody on this instance, newest first
         * @description For instance admins. No API token is accepted.
         */
        get: operations["listUsers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/users/{id}/ban": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ban somebody: sessions end, tokens and sign-in are refused
         * @description Not yourself. Banning again changes nothing.
         *
         *     For instance admins. No API token is accepted.
         */
        post: operations["banUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/users/{id}/unban": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Lift a ban; sessions that it ended stay ended
         * @description For instance admins. No API token is accepted.
         */
        post: operations["unbanUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/instance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what sign-in pages need to know of this instance
         * @description Open to anyone.
         */
        get: operations["readInstance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/setup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make the first instance admin
         * @description Open to anyone.
         */
        post: operations["setUp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workspaces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the workspaces that you belong to
         * @description For whoever is signed in. An API token without scopes is accepted.
         */
        get: operations["listWorkspaces"];
        put?: never;
        /**
         * Create a workspace; you become its owner
         * @description For whoever is signed in. An API token without scopes, bound to no workspace, is accepted.
         */
        post: operations["createWorkspace"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workspace": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the current workspace
         * @description For every member. An API token without scopes is accepted.
         */
        get: operations["readWorkspace"];
        put?: never;
        post?: never;
        /**
         * Delete the current workspace
         * @description It is hidden at once and erased after 30 days; until then its owners can restore it. Posts that were scheduled become drafts.
         *
         *     For the role owner. No API token is accepted.
         */
        delete: operations["deleteWorkspace"];
        options?: never;
        head?: never;
        /**
         * Change the settings of the current workspace
         * @description For the role admin or a higher one. An API token without scopes is accepted.
         */
        patch: operations["changeWorkspace"];
        trace?: never;
    };
    "/api/v1/public/workspace": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the current workspace
         * @description For API tokens with the scope `workspace:read`.
         */
        get: operations["publicReadWorkspace"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change the settings of the current workspace
         * @description For API tokens with the scope `workspace:write`. Their owner needs the role admin or a higher one.
         */
        patch: operations["publicChangeWorkspace"];
        trace?: never;
    };
    "/api/v1/workspaces/deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the deleted workspaces that you may restore
         * @description For whoever is signed in. No API token is accepted.
         */
        get: operations["listDeletedWorkspaces"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workspaces/{id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore a deleted workspace
         * @description For whoever is signed in. No API token is accepted.
         */
        post: operations["restoreWorkspace"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workspace/checklist": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read which first steps were taken in the current workspace
         * @description For every member. An API token without scopes is accepted.
         */
        get: operations["readChecklist"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workspace/checklist/dismiss": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Put the list of first steps away, for yourself
         * @description For every member. No API token is accepted.
         */
        post: operations["dismissChecklist"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workspace/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List who belongs to the current workspace
         * @description For every member. An API token without scopes is accepted.
         */
        get: operations["listMembers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/public/workspace/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List who belongs to the current workspace
         * @description For API tokens with the scope `members:read`.
         */
        get: operations["publicListMembers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workspace/members/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a member
         * @description For every member. An API token without scopes is accepted.
         */
        get: operations["readMember"];
        put?: never;
        post?: never;
        /**
         * Remove a member, or leave
         * @description Everybody may leave, but for the last owner. Admins remove others, owners alone remove owners. The tokens of whoever goes that are bound to this workspace are revoked.
         *
         *     For every member. No API token is accepted.
         */
        delete: operations["removeMember"];
        options?: never;
        head?: never;
        /**
         * Change the role of a member
         * @description Only owners make owners, or take that role from one. A workspace never loses its last owner.
         *
         *     For the role admin or a higher one. No API token is accepted.
         */
        patch: operations["changeMember"];
        trace?: never;
    };
    "/api/v1/public/workspace/members/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a member
         * @description For API tokens with the scope `members:read`.
         */
        get: operations["publicReadMember"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workspace/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the invitations to the current workspace
         * @description For the role admin or a higher one. No API token is accepted.
         */
        get: operations["listInvitations"];
        put?: never;
        /**
         * Invite an e-mail address to the current workspace
         * @description Mails a link that is good for 7 days, once, for that address. Only owners invite owners. Mailed a day are at most 100 from a workspace, and 5 to one address from all of them. An invitation is revoked when who sent it may no longer invite.
         *
         *     For the role admin or a higher one. No API token is accepted.
         */
        post: operations["createInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workspace/invitations/{id}": {
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
         * Revoke an invitation; revoking again changes nothing
         * @description For the role admin or a higher one. No API token is accepted.
         */
        delete: operations["revokeInvitation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workspace/invitations/{id}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mail a new link, good for another 7 days; the one before is void
         * @description For the role admin or a higher one. No API token is accepted.
         */
        post: operations["resendInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/invitations/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what the link of an invitation is about
         * @description Open to anyone.
         */
        get: operations["previewInvitation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/invitations/{token}/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept an invitation; you become a member
         * @description Only for whoever has verified the invited address.
         *
         *     For whoever is signed in. No API token is accepted.
         */
        post: operations["acceptInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/api-tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List API tokens, revoked ones included
         * @description Your own; admins of the workspace see everybody's.
         *
         *     For every member. An API token without scopes is accepted.
         */
        get: operations["listApiTokens"];
        put?: never;
        /**
         * Create an API token
         * @description The answer carries the token itself, this once. A lost token is revoked and another created.
         *
         *     For every member. No API token is accepted.
         */
        post: operations["createApiToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/api-tokens/scopes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the scopes that a token can have
         * @description For every member. An API token without scopes is accepted.
         */
        get: operations["listApiTokenScopes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/api-tokens/{id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace the secret of an API token
         * @description The same token with another secret, which the answer carries, this once. The former secret works until the overlap is over, so whoever uses the token can change over in time. Rotating again ends the one before.
         *
         *     For every member. No API token is accepted.
         */
        post: operations["rotateApiToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/api-tokens/{id}": {
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
         * Revoke an API token, at once and for good
         * @description For every member. No API token is accepted.
         */
        delete: operations["revokeApiToken"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/public/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read which token this call came with
         * @description For every API token with a scope.
         */
        get: operations["publicReadToken"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workspace/audit-log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List who changed what in the workspace, newest first
         * @description For the role admin or a higher one. An API token without scopes is accepted. The plan must include `audit_log`.
         */
        get: operations["listAuditLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/audit-log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List who changed what outside of workspaces, sign-ins among it, newest first
         * @description For instance admins. No API token is accepted.
         */
        get: operations["listInstanceAuditLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhooks
         * @description For every member. An API token without scopes is accepted.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Create a webhook
         * @description The answer carries the secret that signatures are made with, this once.
         *
         *     For the role admin or a higher one. An API token without scopes is accepted.
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/public/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhooks
         * @description For API tokens with the scope `webhooks:read`.
         */
        get: operations["publicListWebhooks"];
        put?: never;
        /**
         * Create a webhook
         * @description The answer carries the secret that signatures are made with, this once.
         *
         *     For API tokens with the scope `webhooks:write`. Their owner needs the role admin or a higher one.
         */
        post: operations["publicCreateWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/event-types": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the event types, each with the schema of its data and an example
         * @description For every member. An API token without scopes is accepted.
         */
        get: operations["listEventTypes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/public/webhooks/event-types": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the event types, each with the schema of its data and an example
         * @description For API tokens with the scope `webhooks:read`.
         */
        get: operations["publicListEventTypes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one webhook
         * @description For every member. An API token without scopes is accepted.
         */
        get: operations["readWebhook"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook and what was still to be sent to it
         * @description For the role admin or a higher one. An API token without scopes is accepted.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Change a webhook, disable it or enable it again
         * @description Enabling sets its failures back and sends nothing by itself: what was held meanwhile is sent by `recover`. Headers are for the receiver that they were given for: when there are some and `url` changes to another origin, `headers` has to be there as well, {} for none.
         *
         *     For the role admin or a higher one. An API token without scopes is accepted.
         */
        patch: operations["changeWebhook"];
        trace?: never;
    };
    "/api/v1/public/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one webhook
         * @description For API tokens with the scope `webhooks:read`.
         */
        get: operations["publicReadWebhook"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook and what was still to be sent to it
         * @description For API tokens with the scope `webhooks:write`. Their owner needs the role admin or a higher one.
         */
        delete: operations["publicDeleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Change a webhook, disable it or enable it again
         * @description Enabling sets its failures back and sends nothing by itself: what was held meanwhile is sent by `recover`. Headers are for the receiver that they were given for: when there are some and `url` changes to another origin, `headers` has to be there as well, {} for none.
         *
         *     For API tokens with the scope `webhooks:write`. Their owner needs the role admin or a higher one.
         */
        patch: operations["publicChangeWebhook"];
        trace?: never;
    };
    "/api/v1/webhooks/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test event at once and return the attempt
         * @description It goes to a disabled webhook, too, and counts neither as a failure nor as a success.
         *
         *     For the role admin or a higher one. An API token without scopes is accepted.
         */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/public/webhooks/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test event at once and return the attempt
         * @description It goes to a disabled webhook, too, and counts neither as a failure nor as a success.
         *
         *     For API tokens with the scope `webhooks:write`. Their owner needs the role admin or a higher one.
         */
        post: operations["publicTestWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a new secret
         * @description During the overlap `X-Service-Signature` stays on the former secret, `X-Service-Signature-Next` carries the new one and `webhook-signature` both. The answer carries the new secret, this once.
         *
         *     For the role admin or a higher one. No API token is accepted.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what was, is and was not delivered in the last 30 days
         * @description For every member. An API token without scopes is accepted.
         */
        get: operations["listDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/public/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what was, is and was not delivered in the last 30 days
         * @description For API tokens with the scope `webhooks:read`.
         */
        get: operations["publicListDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/deliveries/{delivery_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one delivery with its body and attempts
         * @description For every member. An API token without scopes is accepted.
         */
        get: operations["readDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/public/webhooks/{id}/deliveries/{delivery_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one delivery with its body and attempts
         * @description For API tokens with the scope `webhooks:read`.
         */
        get: operations["publicReadDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/deliveries/{delivery_id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a delivery again
         * @description At once: what waits does not wait longer, what failed or was held gets one attempt, what was delivered is sent again.
         *
         *     For the role admin or a higher one. An API token without scopes is accepted.
         */
        post: operations["retryDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/public/webhooks/{id}/deliveries/{delivery_id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a delivery again
         * @description At once: what waits does not wait longer, what failed or was held gets one attempt, what was delivered is sent again.
         *
         *     For API tokens with the scope `webhooks:write`. Their owner needs the role admin or a higher one.
         */
        post: operations["publicRetryDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/recover": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send what was held or ran out of attempts since a time
         * @description Each gets the whole schedule of attempts again.
         *
         *     For the role admin or a higher one. An API token without scopes is accepted.
         */
        post: operations["recoverWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/public/webhooks/{id}/recover": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send what was held or ran out of attempts since a time
         * @description Each gets the whole schedule of attempts again.
         *
         *     For API tokens with the scope `webhooks:write`. Their owner needs the role admin or a higher one.
         */
        post: operations["publicRecoverWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count the attempts of a period, and what waits now
         * @description For every member. An API token without scopes is accepted.
         */
        get: operations["readWebhookStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/public/webhooks/{id}/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count the attempts of a period, and what waits now
         * @description For API tokens with the scope `webhooks:read`.
         */
        get: operations["publicReadWebhookStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Poll the events of the last 30 days, the oldest first
         * @description For who cannot be called: keep `next_cursor` and come back with it. Nothing is left out, also of what is committed late.
         *
         *     For every member. An API token without scopes is accepted.
         */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/public/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Poll the events of the last 30 days, the oldest first
         * @description For who cannot be called: keep `next_cursor` and come back with it. Nothing is left out, also of what is committed late.
         *
         *     For API tokens with the scope `webhooks:read`.
         */
        get: operations["publicListEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the options of this instance
         * @description All of them on one page. The own keys of AI models are listed when they are set.
         *
         *     For instance admins. No API token is accepted.
         */
        get: operations["listOptions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/options/{key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one option
         * @description For instance admins. No API token is accepted.
         */
        get: operations["readOption"];
        /**
         * Override an option
         * @description It counts on every node within a second.
         *
         *     For instance admins. No API token is accepted.
         */
        put: operations["setOption"];
        post?: never;
        /**
         * Go back to the environment or the default
         * @description An option without an override stays as it is.
         *
         *     For instance admins. No API token is accepted.
         */
        delete: operations["unsetOption"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/options/test/mail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a mail at once with the options as they are, and tell what came of it
         * @description One mail, without another try, which is not kept in the outbox. A mail server that refuses it or does not answer within 15 seconds is told in the answer. At most 5 a minute.
         *
         *     For instance admins. No API token is accepted.
         */
        post: operations["testMail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/outbox": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the mails that Meydan wrote in the last 90 days, newest first
         * @description For instance admins. No API token is accepted.
         */
        get: operations["listOutbox"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/outbox/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one mail
         * @description For instance admins. No API token is accepted.
         */
        get: operations["readOutboxMail"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/outbox/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a mail that failed or was kept
         * @description It gets the whole schedule of attempts again. Without a mail server it stays as it is: 409.
         *
         *     For instance admins. No API token is accepted.
         */
        post: operations["retryOutboxMail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/email-templates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List stored e-mail templates, newest first
         * @description Meydan's own texts stand behind them and are not listed: `GET /email-templates/keys` has them.
         *
         *     For instance admins. No API token is accepted.
         */
        get: operations["listEmailTemplates"];
        put?: never;
        /**
         * Create an e-mail template: the text of one mail in one language
         * @description A placeholder is `{{name}}`. One that the key does not have, other syntax, and places where a value could do more than be read (a tag, an attribute without quotes, a style, a script, a comment) are refused.
         *
         *     For instance admins. No API token is accepted.
         */
        post: operations["createEmailTemplate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/email-templates/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the mails that Meydan writes, each with its variables and Meydan's own texts
         * @description For instance admins. No API token is accepted.
         */
        get: operations["listEmailTemplateKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/email-templates/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one e-mail template
         * @description For instance admins. No API token is accepted.
         */
        get: operations["readEmailTemplate"];
        /**
         * Change an e-mail template
         * @description What is absent stays as it is. Mails that wait in the outbox keep their text.
         *
         *     For instance admins. No API token is accepted.
         */
        put: operations["changeEmailTemplate"];
        post?: never;
        /**
         * Delete an e-mail template
         * @description The next one for the recipient is sent instead, in the end the text of Meydan itself.
         *
         *     For instance admins. No API token is accepted.
         */
        delete: operations["deleteEmailTemplate"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/email-templates/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Show what a template would look like, without saving it
         * @description For instance admins. No API token is accepted.
         */
        post: operations["previewEmailTemplateDraft"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/email-templates/{id}/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Show what a template looks like
         * @description For instance admins. No API token is accepted.
         */
        post: operations["previewEmailTemplate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/email-templates/{id}/send-test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mail a template with sample values
         * @description Through the outbox as every mail. At most 5 a minute.
         *
         *     For instance admins. No API token is accepted.
         */
        post: operations["sendEmailTemplateTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/ai-models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List all AI models, newest first
         * @description For instance admins. No API token is accepted.
         */
        get: operations["listAiModels"];
        put?: never;
        /**
         * Create an AI model
         * @description Its key is set by a call of its own.
         *
         *     For instance admins. No API token is accepted.
         */
        post: operations["createAiModel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/ai-models/active": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the AI models that can be generated with, newest first
         * @description For whoever is signed in. An API token without scopes is accepted.
         */
        get: operations["listActiveAiModels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/public/ai-models/active": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the AI models that can be generated with, newest first
         * @description For API tokens with the scope `ai:read`.
         */
        get: operations["publicListActiveAiModels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/ai-models/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one AI model
         * @description For instance admins. No API token is accepted.
         */
        get: operations["readAiModel"];
        /**
         * Change an AI model
         * @description For instance admins. No API token is accepted.
         */
        put: operations["changeAiModel"];
        post?: never;
        /**
         * Delete an AI model and its key
         * @description For instance admins. No API token is accepted.
         */
        delete: operations["deleteAiModel"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/ai-models/{id}/api-key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set or remove the key of one AI model
         * @description Without a key of its own, a model is called with the global one of its vendor, when that is the default vendor.
         *
         *     For instance admins. No API token is accepted.
         */
        put: operations["setAiModelKey"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/options/test/ai-model/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask an AI model something at once, and tell what came of it
         * @description One call to the vendor, without another try: a few tokens for text, the smallest image, and for video only whether the key is taken. A vendor that refuses or does not answer is told in the answer. At most 5 a minute.
         *
         *     For instance admins. No API token is accepted.
         */
        post: operations["testAiModel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/plans": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the price list
         * @description The plans on offer, by their position. With `If-None-Match` it is 304 while nothing has changed.
         *
         *     Open to anyone.
         */
        get: operations["listPublicPlans"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/plans": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List all plans by their position, archived ones included
         * @description For instance admins. No API token is accepted.
         */
        get: operations["listPlans"];
        put?: never;
        /**
         * Create a plan
         * @description For instance admins. No API token is accepted.
         */
        post: operations["createPlan"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/plans/order": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Put all plans in an order
         * @description For instance admins. No API token is accepted.
         */
        post: operations["orderPlans"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/plans/{code}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one plan
         * @description For instance admins. No API token is accepted.
         */
        get: operations["readPlan"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change a plan
         * @description It counts at once for every workspace that lives by it. Whoever is over a lower limit keeps what is there and can add nothing. `prices`, `limits` and `metadata` are replaced whole.
         *
         *     For instance admins. No API token is accepted.
         */
        patch: operations["changePlan"];
        trace?: never;
    };
    "/api/v1/admin/plans/{code}/archive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Archive a plan
         * @description Nobody new gets it; workspaces that live by it keep it. The plan that the option `billing.default_plan` names cannot be archived.
         *
         *     For instance admins. No API token is accepted.
         */
        post: operations["archivePlan"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workspace/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what the current workspace has used of its plan
         * @description For every member. An API token without scopes is accepted.
         */
        get: operations["readUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/public/workspace/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what the current workspace has used of its plan
         * @description For API tokens with the scope `workspace:read`.
         */
        get: operations["publicReadUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/ai/generate/text": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Write a text
         * @description Takes 1 AI credit. With `Accept: text/event-stream` it is told as it is written: events `delta` {text}, then `done` with everything else that the answer has, or `error` {code, detail, retry_after_s}. Such an answer cannot be repeated, and takes no Idempotency-Key. A client that hangs up breaks the call off, unless it came with an Idempotency-Key. What fails gives its credits back, and so does what was broken off before its first delta.
         *
         *     For the role author or a higher one. An API token without scopes is accepted.
         */
        post: operations["generateText"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/public/ai/generate/text": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Write a text
         * @description Takes 1 AI credit. With `Accept: text/event-stream` it is told as it is written: events `delta` {text}, then `done` with everything else that the answer has, or `error` {code, detail, retry_after_s}. Such an answer cannot be repeated, and takes no Idempotency-Key. A client that hangs up breaks the call off, unless it came with an Idempotency-Key. What fails gives its credits back, and so does what was broken off before its first delta.
         *
         *     For API tokens with the scope `ai:write`. Their owner needs the role author or a higher one.
         */
        post: operations["publicGenerateText"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/ai/generate/image": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make one or more images
         * @description Takes 5 AI credits for each image that was made. It can take two minutes. The files are kept for 7 days.
         *
         *     For the role author or a higher one. An API token without scopes is accepted.
         */
        post: operations["generateImage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/public/ai/generate/image": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make one or more images
         * @description Takes 5 AI credits for each image that was made. It can take two minutes. The files are kept for 7 days.
         *
         *     For API tokens with the scope `ai:write`. Their owner needs the role author or a higher one.
         */
        post: operations["publicGenerateImage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/ai/generate/video": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin to make a video
         * @description Takes 20 AI credits, which are given back when it fails or is canceled. GET /ai/generations/{id} tells how far it is; a video takes minutes.
         *
         *     For the role author or a higher one. An API token without scopes is accepted.
         */
        post: operations["generateVideo"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/public/ai/generate/video": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin to make a video
         * @description Takes 20 AI credits, which are given back when it fails or is canceled. GET /ai/generations/{id} tells how far it is; a video takes minutes.
         *
         *     For API tokens with the scope `ai:write`. Their owner needs the role author or a higher one.
         */
        post: operations["publicGenerateVideo"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/ai/generations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what was and is being generated, newest first
         * @description For every member. An API token without scopes is accepted.
         */
        get: operations["listGenerations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/public/ai/generations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what was and is being generated, newest first
         * @description For API tokens with the scope `ai:read`.
         */
        get: operations["publicListGenerations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/ai/generations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one generation
         * @description For every member. An API token without scopes is accepted.
         */
        get: operations["readGeneration"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/public/ai/generations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one generation
         * @description For API tokens with the scope `ai:read`.
         */
        get: operations["publicReadGeneration"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/ai/generations/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stop a generation that is under way
         * @description It takes no credits then, unless it is a text of which a part was told already. One that was canceled before answers the same again.
         *
         *     For the role author or a higher one. An API token without scopes is accepted.
         */
        post: operations["cancelGeneration"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/public/ai/generations/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stop a generation that is under way
         * @description It takes no credits then, unless it is a text of which a part was told already. One that was canceled before answers the same again.
         *
         *     For API tokens with the scope `ai:write`. Their owner needs the role author or a higher one.
         */
        post: operations["publicCancelGeneration"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/ai/files/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Fetch an image or a video that was generated
         * @description Of any workspace that you belong to: the address alone is enough. Files are kept for 7 days.
         *
         *     For whoever is signed in. An API token without scopes is accepted.
         */
        get: operations["readGeneratedFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/public/ai/files/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Fetch an image or a video that was generated
         * @description Of any workspace that you belong to: the address alone is enough. Files are kept for 7 days.
         *
         *     For API tokens with the scope `ai:read`.
         */
        get: operations["publicReadGeneratedFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/accounts/networks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the networks, each with the form that connects an account
         * @description For every member. An API token without scopes is accepted.
         */
        get: operations["listNetworks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/public/accounts/networks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the networks, each with the form that connects an account
         * @description For API tokens with the scope `accounts:read`.
         */
        get: operations["publicListNetworks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List connected accounts
         * @description For every member. An API token without scopes is accepted.
         */
        get: operations["listAccounts"];
        put?: never;
        /**
         * Connect an account
         * @description For the role editor or a higher one. An API token without scopes is accepted.
         */
        post: operations["connectAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/public/accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List connected accounts
         * @description For API tokens with the scope `accounts:read`.
         */
        get: operations["publicListAccounts"];
        put?: never;
        /**
         * Connect an account
         * @description For API tokens with the scope `accounts:write`. Their owner needs the role editor or a higher one.
         */
        post: operations["publicConnectAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/accounts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one account
         * @description For every member. An API token without scopes is accepted.
         */
        get: operations["readAccount"];
        put?: never;
        post?: never;
        /**
         * Disconnect an account and forget its credentials
         * @description For the role editor or a higher one. An API token without scopes is accepted.
         */
        delete: operations["disconnectAccount"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/public/accounts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one account
         * @description For API tokens with the scope `accounts:read`.
         */
        get: operations["publicReadAccount"];
        put?: never;
        post?: never;
        /**
         * Disconnect an account and forget its credentials
         * @description For API tokens with the scope `accounts:write`. Their owner needs the role editor or a higher one.
         */
        delete: operations["publicDisconnectAccount"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/accounts/{id}/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask the network whether it still lets the account in
         * @description Sets status and checked_at. Posts that failed meanwhile are not tried again by themselves. When the network cannot be reached the account stays as it is, and the answer is account_unreachable.
         *
         *     For the role editor or a higher one. An API token without scopes is accepted.
         */
        post: operations["checkAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/public/accounts/{id}/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask the network whether it still lets the account in
         * @description Sets status and checked_at. Posts that failed meanwhile are not tried again by themselves. When the network cannot be reached the account stays as it is, and the answer is account_unreachable.
         *
         *     For API tokens with the scope `accounts:write`. Their owner needs the role editor or a higher one.
         */
        post: operations["publicCheckAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/playground": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the timeline of the Playground
         * @description For every member. An API token without scopes is accepted.
         */
        get: operations["listPlayground"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/public/playground": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the timeline of the Playground
         * @description For API tokens with the scope `posts:read`.
         */
        get: operations["publicListPlayground"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/playground/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one post of the timeline of the Playground
         * @description For every member. An API token without scopes is accepted.
         */
        get: operations["readPlaygroundPost"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/public/playground/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one post of the timeline of the Playground
         * @description For API tokens with the scope `posts:read`.
         */
        get: operations["publicReadPlaygroundPost"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/posts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List posts, newest first
         * @description For every member. An API token without scopes is accepted.
         */
        get: operations["listPosts"];
        put?: never;
        /**
         * Create a post: a draft, scheduled, or to be published at once
         * @description For the role author or a higher one. An API token without scopes is accepted.
         */
        post: operations["createPost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/public/posts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List posts, newest first
         * @description For API tokens with the scope `posts:read`.
         */
        get: operations["publicListPosts"];
        put?: never;
        /**
         * Create a post: a draft, scheduled, or to be published at once
         * @description For API tokens with the scope `posts:write`. Their owner needs the role author or a higher one.
         */
        post: operations["publicCreatePost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/posts/deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List which posts were deleted and can still be restored
         * @description For who keeps a copy of the list of posts. What was deleted more than 24 hours ago is erased, and told of no more. A post that was restored is again in GET /posts, changed at that time.
         *
         *     For every member. An API token without scopes is accepted.
         */
        get: operations["listDeletedPosts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/public/posts/deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List which posts were deleted and can still be restored
         * @description For who keeps a copy of the list of posts. What was deleted more than 24 hours ago is erased, and told of no more. A post that was restored is again in GET /posts, changed at that time.
         *
         *     For API tokens with the scope `posts:read`.
         */
        get: operations["publicListDeletedPosts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/posts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one post
         * @description For every member. An API token without scopes is accepted.
         */
        get: operations["readPost"];
        put?: never;
        post?: never;
        /**
         * Delete a post from Meydan; what was published stays on the networks
         * @description For 24 hours it can be restored; then it is erased.
         *
         *     For the role author or a higher one. An API token without scopes is accepted.
         */
        delete: operations["deletePost"];
        options?: never;
        head?: never;
        /**
         * Change a post that has not been published
         * @description Text, targets or time. A time of null makes it a draft again.
         *
         *     For the role author or a higher one. An API token without scopes is accepted.
         */
        patch: operations["changePost"];
        trace?: never;
    };
    "/api/v1/public/posts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one post
         * @description For API tokens with the scope `posts:read`.
         */
        get: operations["publicReadPost"];
        put?: never;
        post?: never;
        /**
         * Delete a post from Meydan; what was published stays on the networks
         * @description For 24 hours it can be restored; then it is erased.
         *
         *     For API tokens with the scope `posts:write`. Their owner needs the role author or a higher one.
         */
        delete: operations["publicDeletePost"];
        options?: never;
        head?: never;
        /**
         * Change a post that has not been published
         * @description Text, targets or time. A time of null makes it a draft again.
         *
         *     For API tokens with the scope `posts:write`. Their owner needs the role author or a higher one.
         */
        patch: operations["publicChangePost"];
        trace?: never;
    };
    "/api/v1/posts/{id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore a post that was deleted less than 24 hours ago
         * @description It comes back as it was, and a scheduled one is scheduled again. One whose time has passed meanwhile comes back as a draft without a time.
         *
         *     For the role author or a higher one. An API token without scopes is accepted.
         */
        post: operations["restorePost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/public/posts/{id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore a post that was deleted less than 24 hours ago
         * @description It comes back as it was, and a scheduled one is scheduled again. One whose time has passed meanwhile comes back as a draft without a time.
         *
         *     For API tokens with the scope `posts:write`. Their owner needs the role author or a higher one.
         */
        post: operations["publicRestorePost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/posts/{id}/publish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Publish a draft or scheduled post at once
         * @description For the role author or a higher one. An API token without scopes is accepted.
         */
        post: operations["publishPost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/public/posts/{id}/publish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Publish a draft or scheduled post at once
         * @description For API tokens with the scope `posts:write`. Their owner needs the role author or a higher one.
         */
        post: operations["publicPublishPost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/posts/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Try again where publishing failed
         * @description For the role author or a higher one. An API token without scopes is accepted.
         */
        post: operations["retryPost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/public/posts/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Try again where publishing failed
         * @description For API tokens with the scope `posts:write`. Their owner needs the role author or a higher one.
         */
        post: operations["publicRetryPost"];
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
        /** @description What went wrong (RFC 9457) */
        Problem: {
            /** @description Where the code is explained */
            type: string;
            title: string;
            /** Format: int32 */
            status: number;
            /** @description What is wrong, and what to do */
            detail: string;
            /** @description The path that was called */
            instance?: string;
            /**
             * @description Stable: branch on this
             * @enum {string}
             */
            code: "malformed_request" | "malformed_json" | "validation_failed" | "read_only" | "url_not_allowed" | "account_refused" | "search_too_slow" | "account_unreachable" | "ai_refused" | "verification_failed" | "code_rejected" | "unauthenticated" | "sign_in_failed" | "email_not_verified" | "banned" | "sign_up_closed" | "password_wrong" | "forbidden_role" | "insufficient_scope" | "feature_not_available" | "limit_exceeded" | "token_not_accepted" | "cross_origin" | "setup_code_invalid" | "not_found" | "method_not_allowed" | "workspace_required" | "workspace_name_taken" | "workspace_slug_taken" | "plan_code_taken" | "account_taken" | "member_taken" | "invitation_taken" | "email_template_taken" | "last_owner" | "two_factor_on" | "two_factor_off" | "model_key_missing" | "no_model" | "model_key_refused" | "model_unusable" | "idempotency_key_in_use" | "invalid_transition" | "setup_done" | "request_timeout" | "version_conflict" | "body_too_large" | "uri_too_long" | "unsupported_media_type" | "expectation_failed" | "idempotency_key_reused" | "too_many_requests" | "ai_rate_limited" | "headers_too_large" | "internal_error" | "unavailable" | "ai_unavailable";
            /** @description Under this the server log tells more */
            request_id?: string;
            errors?: {
                /** @description JSON Pointer (RFC 6901) to the field */
                pointer: string;
                code: string;
                message: string;
            }[];
            /** @description With invalid_transition: the current state */
            state?: string;
            /** @description With insufficient_scope: the scope that is missing */
            scope?: string;
            /** @description With last_owner, when it is about more than the current one: the workspaces */
            workspace_ids?: string[];
            /** @description With feature_not_available: what the plan would have to include */
            feature?: string;
            /** @description With limit_exceeded: what is counted */
            meter?: string;
            /**
             * Format: int32
             * @description With limit_exceeded: how many there may be
             */
            limit?: number;
            /**
             * Format: int32
             * @description With limit_exceeded: how many there are
             */
            used?: number;
            /** @description With limit_exceeded, of a limit of the plan: the code of the first plan on offer that allows more */
            upgrade_plan?: string | null;
        };
        Me: {
            /** @description UUIDv7 */
            id: string;
            /**
             * Format: email
             * @description E-mail address
             */
            email: string;
            /** @description Name that others see. One line, without characters that cannot be seen or change the direction of text */
            name: string;
            /** @description Language tag (BCP 47), such as tr or en-GB */
            locale: string;
            /** @description Time zone (IANA), such as Europe/Istanbul */
            timezone: string;
            /** @description May administer this installation of Meydan */
            is_instance_admin: boolean;
            /** @description Signs in with a second factor */
            two_factor_enabled: boolean;
            /** @description UUIDv7 */
            workspace_id: string | null;
            /** Format: date-time */
            created_at: string;
        };
        ChangeMe: {
            /** @description Name that others see. One line, without characters that cannot be seen or change the direction of text */
            name?: string;
            /** @description Language tag (BCP 47), such as tr or en-GB */
            locale?: string;
            /** @description Time zone (IANA), such as Europe/Istanbul */
            timezone?: string;
            /** @description UUIDv7 */
            workspace_id?: string;
        };
        ConfirmedByPassword: {
            /** @description Your password */
            password: string;
        };
        /** @description Everything that Meydan keeps about you, and what you wrote */
        PersonalExport: {
            /** Format: date-time */
            exported_at: string;
            profile: {
                /** @description UUIDv7 */
                id: string;
                /**
                 * Format: email
                 * @description E-mail address
                 */
                email: string;
                /** @description Name that others see. One line, without characters that cannot be seen or change the direction of text */
                name: string;
                /** @description Language tag (BCP 47), such as tr or en-GB */
                locale: string;
                /** @description Time zone (IANA), such as Europe/Istanbul */
                timezone: string;
                /** @description May administer this installation of Meydan */
                is_instance_admin: boolean;
                /** @description Signs in with a second factor */
                two_factor_enabled: boolean;
                /** @description UUIDv7 */
                workspace_id: string | null;
                /** Format: date-time */
                created_at: string;
                email_verified: boolean;
                /** Format: date-time */
                updated_at: string;
            };
            memberships: {
                /** @description UUIDv7 */
                workspace_id: string;
                name: string;
                slug: string;
                /** @enum {string} */
                role: "viewer" | "author" | "editor" | "admin" | "owner";
                /** Format: date-time */
                created_at: string;
            }[];
            /** @description A change of address that waits for the codes */
            email_change: {
                /**
                 * Format: email
                 * @description The new address
                 */
                email: string;
                /** Format: date-time */
                expires_at: string;
                /** Format: date-time */
                created_at: string;
            } | null;
            sessions: {
                /** @description UUIDv7 */
                id: string;
                /** @description From where it was opened */
                ip_address: string | null;
                /** @description What the browser calls itself */
                user_agent: string | null;
                /** Format: date-time */
                created_at: string;
                /**
                 * Format: date-time
                 * @description Last use, to the minute
                 */
                seen_at: string | null;
                /** Format: date-time */
                expires_at: string;
            }[];
            api_tokens: {
                /** @description UUIDv7 */
                id: string;
                /** @description UUIDv7 */
                team_id: string | null;
                name: string;
                prefix: string;
                scopes: string[];
                /** Format: date-time */
                last_used_at: string | null;
                /** Format: date-time */
                expires_at: string | null;
                /** Format: date-time */
                revoked_at: string | null;
                /** Format: date-time */
                created_at: string;
            }[];
            audit_log: {
                /** @description UUIDv7 */
                id: string;
                /** Format: date-time */
                at: string;
                /** @description UUIDv7 */
                workspace_id: string | null;
                /** @description UUIDv7 */
                token_id: string | null;
                action: string;
                target_id: string | null;
                details: {
                    [key: string]: unknown;
                };
                /** @description From where it was opened */
                ip: string | null;
                /** @description What the browser calls itself */
                user_agent: string | null;
            }[];
            posts: {
                /** @description UUIDv7 */
                id: string;
                /** @description UUIDv7 */
                workspace_id: string;
                content: string;
                labels: string[];
                status: string;
                /** Format: date-time */
                scheduled_at: string | null;
                /** Format: date-time */
                published_at: string | null;
                /** Format: date-time */
                created_at: string;
                /** Format: date-time */
                updated_at: string;
            }[];
            webhooks: {
                /** @description UUIDv7 */
                id: string;
                /** @description Its workspace */
                team_id: string;
                url: string;
                events: string[];
                active: boolean;
                /** Format: date-time */
                created_at: string;
            }[];
            invitations: {
                /** @description UUIDv7 */
                id: string;
                /** @description UUIDv7 */
                workspace_id: string;
                /**
                 * Format: email
                 * @description Whom it was sent to
                 */
                email: string;
                /** @enum {string} */
                role: "viewer" | "author" | "editor" | "admin" | "owner";
                /** @description Language tag (BCP 47), such as tr or en-GB */
                locale: string;
                /** @enum {string} */
                state: "pending" | "accepted" | "revoked";
                /** @description By you */
                sent: boolean;
                /** @description By you */
                accepted: boolean;
                /** Format: date-time */
                expires_at: string;
                /** Format: date-time */
                created_at: string;
            }[];
            mails: {
                /** @description UUIDv7 */
                id: string;
                /** @description Which text it is */
                key: string;
                /** @description Language tag (BCP 47), such as tr or en-GB */
                locale: string;
                /** @description A code in it is left out */
                subject: string;
                /**
                 * @description kept: no mail server was set when it was written
                 * @enum {string}
                 */
                state: "kept" | "queued" | "sent" | "failed";
                /** Format: date-time */
                created_at: string;
                /** Format: date-time */
                sent_at: string | null;
            }[];
        };
        ChangePassword: {
            /** @description Your password */
            current_password: string;
            /** @description 10 to 200 characters */
            new_password: string;
        };
        /** @description A change of address that waits for the codes */
        EmailChange: {
            /**
             * Format: email
             * @description The new address
             */
            email: string;
            /** Format: date-time */
            expires_at: string;
        };
        ChangeEmail: {
            /**
             * Format: email
             * @description E-mail address
             */
            email: string;
            /** @description Your password */
            password: string;
        };
        ConfirmEmail: {
            /** @description The six digits mailed to the present address */
            old_code: string;
            /** @description The six digits mailed to the new address */
            new_code: string;
        };
        TwoFactorSetup: {
            /** @description otpauth:// address with the secret, for an authenticator app. Shown this once; null when the answer is repeated for an Idempotency-Key */
            totp_uri: string | null;
            /** @description Each signs in once in place of the second factor. Shown this once; null when the answer is repeated for an Idempotency-Key */
            backup_codes: string[] | null;
        };
        ConfirmTwoFactor: {
            /** @description The six digits that the app shows */
            code: string;
        };
        NewBackupCodes: {
            /** @description Each signs in once in place of the second factor. Shown this once; null when the answer is repeated for an Idempotency-Key */
            backup_codes: string[] | null;
        };
        Session: {
            /** @description UUIDv7 */
            id: string;
            /** @description From where it was opened */
            ip_address: string | null;
            /** @description What the browser calls itself */
            user_agent: string | null;
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description Last use, to the minute
             */
            seen_at: string | null;
            /** Format: date-time */
            expires_at: string;
            /** @description This call was made with it */
            current: boolean;
        };
        AdminUser: {
            /** @description UUIDv7 */
            id: string;
            /**
             * Format: email
             * @description E-mail address
             */
            email: string;
            /** @description Name that others see. One line, without characters that cannot be seen or change the direction of text */
            name: string;
            email_verified: boolean;
            is_instance_admin: boolean;
            two_factor_enabled: boolean;
            /** Format: date-time */
            banned_at: string | null;
            ban_reason: string | null;
            /** Format: date-time */
            created_at: string;
            /**
             * Format: int32
             * @description How many workspaces this person belongs to
             */
            workspaces: number;
        };
        Ban: {
            /** @description For other instance admins */
            reason?: string;
        };
        Instance: {
            /** @description Whether the first instance admin is still to be made, with POST /setup */
            needs_setup: boolean;
            /** @description false: there is no mail server, and mail stays in the outbox */
            sends_mail: boolean;
            /**
             * @description Who may sign up
             * @enum {string}
             */
            sign_up: "open" | "invitation" | "closed";
        };
        SetUp: {
            /** @description From the link that the first start printed */
            code: string;
            /**
             * Format: email
             * @description E-mail address
             */
            email: string;
            /** @description 10 to 200 characters */
            password: string;
            /** @description Name that others see. One line, without characters that cannot be seen or change the direction of text */
            name: string;
            /** @description Name of the first workspace. One line, without characters that cannot be seen or change the direction of text */
            workspace_name?: string;
            /** @description Language tag (BCP 47), such as tr or en-GB */
            locale?: string;
            /** @description Time zone (IANA), such as Europe/Istanbul */
            timezone?: string;
        };
        SetUpDone: {
            /** @description UUIDv7 */
            user_id: string;
            /** @description UUIDv7 */
            workspace_id: string | null;
        };
        Workspace: {
            /** @description UUIDv7 */
            id: string;
            /** @description Unique in the instance, whatever the case of its letters. One line, without characters that cannot be seen or change the direction of text */
            name: string;
            /** @description Short name for addresses, unique in the instance: a-z, 0-9 and single hyphens inside */
            slug: string;
            /**
             * @description Default currency of the workspace
             * @enum {string}
             */
            default_currency: "TRY" | "USD";
            /** @description Language tag (BCP 47), such as tr or en-GB */
            locale: string;
            /** @description Time zone (IANA), such as Europe/Istanbul */
            timezone: string;
            /** @description Printed on invoices */
            billing_address: {
                name?: string;
                line1?: string;
                line2?: string;
                city?: string;
                country?: string;
                postal?: string;
                tax_id?: string;
            } | null;
            /** @description Set by billing */
            plan_code: string;
            /**
             * @description Your role in the workspace
             * @enum {string}
             */
            role: "viewer" | "author" | "editor" | "admin" | "owner";
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        NewWorkspace: {
            /** @description Unique in the instance, whatever the case of its letters. One line, without characters that cannot be seen or change the direction of text */
            name: string;
            /** @description Short name for addresses, unique in the instance: a-z, 0-9 and single hyphens inside */
            slug?: string;
            /** @description Language tag (BCP 47), such as tr or en-GB */
            locale?: string;
            /** @description Time zone (IANA), such as Europe/Istanbul */
            timezone?: string;
        };
        ChangeWorkspace: {
            /** @description Unique in the instance, whatever the case of its letters. One line, without characters that cannot be seen or change the direction of text */
            name?: string;
            /** @description Short name for addresses, unique in the instance: a-z, 0-9 and single hyphens inside */
            slug?: string;
            /**
             * @description Default currency of the workspace
             * @enum {string}
             */
            default_currency?: "TRY" | "USD";
            /** @description Language tag (BCP 47), such as tr or en-GB */
            locale?: string;
            /** @description Time zone (IANA), such as Europe/Istanbul */
            timezone?: string;
            /** @description Printed on invoices */
            billing_address?: {
                name?: string;
                line1?: string;
                line2?: string;
                city?: string;
                country?: string;
                postal?: string;
                tax_id?: string;
            } | null;
        };
        DeleteWorkspace: {
            /** @description The name of the workspace, so that none is deleted by mistake */
            name: string;
        };
        DeletedWorkspace: {
            /** @description UUIDv7 */
            id: string;
            /** @description Unique in the instance, whatever the case of its letters. One line, without characters that cannot be seen or change the direction of text */
            name: string;
            /** @description Short name for addresses, unique in the instance: a-z, 0-9 and single hyphens inside */
            slug: string;
            /** Format: date-time */
            deleted_at: string;
            /**
             * Format: date-time
             * @description Until then it can be restored
             */
            erased_at: string;
        };
        Checklist: {
            /** @description An account is connected */
            connected: boolean;
            /** @description There is a post */
            written: boolean;
            /** @description A post was published somewhere */
            published: boolean;
            /** @description There is a webhook */
            webhook: boolean;
            /** @description You have put the list away */
            dismissed: boolean;
        };
        WorkspaceMember: {
            /** @description The user's id */
            id: string;
            /** @description Name that others see. One line, without characters that cannot be seen or change the direction of text */
            name: string;
            /**
             * Format: email
             * @description E-mail address
             */
            email: string;
            /**
             * @description viewer reads; author writes own posts; editor all posts and accounts; admin settings; owner everything
             * @enum {string}
             */
            role: "viewer" | "author" | "editor" | "admin" | "owner";
            /** @description Signs in with a second factor */
            two_factor_enabled: boolean;
            /**
             * Format: date-time
             * @description Member since
             */
            created_at: string;
        };
        ChangeMember: {
            /**
             * @description viewer reads; author writes own posts; editor all posts and accounts; admin settings; owner everything
             * @enum {string}
             */
            role: "viewer" | "author" | "editor" | "admin" | "owner";
        };
        Invitation: {
            /** @description UUIDv7 */
            id: string;
            /**
             * Format: email
             * @description E-mail address
             */
            email: string;
            /**
             * @description viewer reads; author writes own posts; editor all posts and accounts; admin settings; owner everything
             * @enum {string}
             */
            role: "viewer" | "author" | "editor" | "admin" | "owner";
            /**
             * @description Only a pending one can be accepted
             * @enum {string}
             */
            state: "pending" | "accepted" | "revoked" | "expired";
            /** @description User; null: no longer here */
            invited_by: string | null;
            /** Format: date-time */
            expires_at: string;
            /** Format: date-time */
            created_at: string;
        };
        NewInvitation: {
            /**
             * Format: email
             * @description E-mail address
             */
            email: string;
            /**
             * @description viewer reads; author writes own posts; editor all posts and accounts; admin settings; owner everything
             * @enum {string}
             */
            role: "viewer" | "author" | "editor" | "admin" | "owner";
            /** @description Language of the mail; default: that of the person when known here, else of the workspace */
            locale?: string;
        };
        InvitationPreview: {
            workspace_name: string;
            /** @description Name that others see. One line, without characters that cannot be seen or change the direction of text */
            inviter_name: string | null;
            /**
             * Format: email
             * @description E-mail address
             */
            email: string;
            /**
             * @description viewer reads; author writes own posts; editor all posts and accounts; admin settings; owner everything
             * @enum {string}
             */
            role: "viewer" | "author" | "editor" | "admin" | "owner";
            /**
             * @description Only a pending one can be accepted
             * @enum {string}
             */
            state: "pending" | "accepted" | "revoked" | "expired";
            /** Format: date-time */
            expires_at: string;
        };
        ApiToken: {
            /** @description UUIDv7 */
            id: string;
            /** @description Owner */
            user: string;
            /** @description Its workspace; null: all workspaces of its owner */
            team_id: string | null;
            /** @description What the token is for. One line, without characters that cannot be seen or change the direction of text */
            name: string;
            /** @description The visible beginning, to recognise the token by */
            prefix: string;
            /** @description What it may do under /api/v1/public; empty: it acts as its owner elsewhere */
            scopes: string[];
            /**
             * Format: date-time
             * @description To the minute
             */
            last_used_at: string | null;
            /**
             * Format: date-time
             * @description From then on it is refused; null: never
             */
            expires_at: string | null;
            /** Format: date-time */
            revoked_at: string | null;
            /**
             * Format: date-time
             * @description When its secret was last replaced
             */
            rotated_at: string | null;
            /**
             * Format: date-time
             * @description Until then the secret from before the rotation works as well
             */
            previous_expires_at: string | null;
            /** Format: date-time */
            created_at: string;
        };
        NewApiToken: {
            /** @description What the token is for. One line, without characters that cannot be seen or change the direction of text */
            name: string;
            /** @description Default: none */
            scopes?: string[];
            /** @description The current workspace, or null for all of yours */
            team_id?: string | null;
            /**
             * Format: date-time
             * @description At most five years from now. Default: never
             */
            expires_at?: string | null;
        };
        CreatedApiToken: {
            /** @description UUIDv7 */
            id: string;
            /** @description Owner */
            user: string;
            /** @description Its workspace; null: all workspaces of its owner */
            team_id: string | null;
            /** @description What the token is for. One line, without characters that cannot be seen or change the direction of text */
            name: string;
            /** @description The visible beginning, to recognise the token by */
            prefix: string;
            /** @description What it may do under /api/v1/public; empty: it acts as its owner elsewhere */
            scopes: string[];
            /**
             * Format: date-time
             * @description To the minute
             */
            last_used_at: string | null;
            /**
             * Format: date-time
             * @description From then on it is refused; null: never
             */
            expires_at: string | null;
            /** Format: date-time */
            revoked_at: string | null;
            /**
             * Format: date-time
             * @description When its secret was last replaced
             */
            rotated_at: string | null;
            /**
             * Format: date-time
             * @description Until then the secret from before the rotation works as well
             */
            previous_expires_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** @description The token itself, shown this once; null when an Idempotency-Key replays the answer */
            token: string | null;
        };
        ScopeInfo: {
            /** @description `<area>:<read|write>`; write includes read */
            scope: string;
            description: string;
            /**
             * @description The least role that may grant it
             * @enum {string}
             */
            role: "viewer" | "author" | "editor" | "admin" | "owner";
        };
        RotateApiToken: {
            /**
             * Format: int32
             * @description How long the former secret works beside the new one; 0: no longer at all
             * @default 86400
             */
            overlap_seconds: number;
        };
        OwnToken: {
            /** @description UUIDv7 */
            id: string;
            /** @description What the token is for. One line, without characters that cannot be seen or change the direction of text */
            name: string;
            /** @description The visible beginning, to recognise the token by */
            prefix: string;
            /** @description What it may do under /api/v1/public; empty: it acts as its owner elsewhere */
            scopes: string[];
            /** @description Who it acts for */
            user_id: string;
            /** @description Its workspace; null: all workspaces of its owner */
            team_id: string | null;
            /**
             * Format: date-time
             * @description From then on it is refused; null: never
             */
            expires_at: string | null;
        };
        AuditEntry: {
            /** @description UUIDv7 */
            id: string;
            /** Format: date-time */
            at: string;
            /** @description Who did it; null: Meydan itself, or somebody who had not signed in */
            actor: {
                /** @description User */
                id: string;
                /** @description null: this person is no longer here */
                name: string | null;
                email: string | null;
            } | null;
            /** @description The API token that it was done with */
            token_id: string | null;
            /** @description What was done, `<subject>.<act>` */
            action: string;
            /** @description What it was done to */
            target_id: string | null;
            /** @description What was changed from what to what. No secrets */
            details: {
                [key: string]: unknown;
            };
            /** @description From where */
            ip: string | null;
            user_agent: string | null;
        };
        Webhook: {
            /** @description UUIDv7 */
            id: string;
            /** @description Who created it */
            user: string | null;
            /** @description Its workspace */
            team_id: string;
            /** @description Where events are posted to */
            url: string;
            /** @description Event types: *, post.created, post.updated, post.deleted, post.published, post.failed, account.disconnected, account.refresh_failed, team.invitation.accepted, webhook.test, publish.success, publish.fail */
            events: string[];
            /** @description What it is for, in your own words */
            description: string | null;
            /** @description Names of the headers of your own that go with every call */
            header_names: string[];
            /** @description false: nothing is sent, and events are held for 30 days */
            active: boolean;
            /**
             * @description manual: by a member; failing: without a success for too long; gone: the endpoint answered 410
             * @enum {string|null}
             */
            disabled_reason: "manual" | "failing" | "gone" | null;
            /** Format: date-time */
            disabled_at: string | null;
            /**
             * Format: int32
             * @description Failed attempts in a row; 0 again after a success
             */
            failure_count: number;
            /**
             * Format: date-time
             * @description When these failures began
             */
            first_failure_at: string | null;
            /**
             * Format: date-time
             * @description Last success
             */
            last_dispatched_at: string | null;
            /** Format: date-time */
            last_failure_at: string | null;
            /** @description How the attempt of `last_failure_at` ended, while its delivery is kept */
            last_failure: {
                /** @description UUIDv7 */
                delivery_id: string;
                type: string;
                /**
                 * Format: int32
                 * @description HTTP status
                 */
                status: number | null;
                /** @description Why there was no good answer */
                error: string | null;
            } | null;
            /**
             * Format: date-time
             * @description When it is disabled unless an attempt succeeds before
             */
            disable_at: string | null;
            /**
             * @description open: the endpoint failed too often in a row and rests; half_open: one delivery may probe it
             * @enum {string}
             */
            circuit: "closed" | "open" | "half_open";
            /**
             * Format: date-time
             * @description When the next probe may go
             */
            circuit_until: string | null;
            /**
             * Format: date-time
             * @description After a rotation: until when the former secret signs as well
             */
            previous_secret_expires_at: string | null;
            /** Format: date-time */
            created_at: string;
        };
        NewWebhook: {
            /** @description Where events are posted to */
            url: string;
            /** @description Event types: *, post.created, post.updated, post.deleted, post.published, post.failed, account.disconnected, account.refresh_failed, team.invitation.accepted, webhook.test, publish.success, publish.fail */
            events: string[];
            /** @description What it is for, in your own words */
            description?: string;
            /** @description Headers of your own that go with every call, such as Authorization. They are kept encrypted and not shown again; a call that sets them replaces all of them */
            headers?: {
                [key: string]: string;
            };
        };
        CreatedWebhook: {
            /** @description UUIDv7 */
            id: string;
            /** @description Who created it */
            user: string | null;
            /** @description Its workspace */
            team_id: string;
            /** @description Where events are posted to */
            url: string;
            /** @description Event types: *, post.created, post.updated, post.deleted, post.published, post.failed, account.disconnected, account.refresh_failed, team.invitation.accepted, webhook.test, publish.success, publish.fail */
            events: string[];
            /** @description What it is for, in your own words */
            description: string | null;
            /** @description Names of the headers of your own that go with every call */
            header_names: string[];
            /** @description false: nothing is sent, and events are held for 30 days */
            active: boolean;
            /**
             * @description manual: by a member; failing: without a success for too long; gone: the endpoint answered 410
             * @enum {string|null}
             */
            disabled_reason: "manual" | "failing" | "gone" | null;
            /** Format: date-time */
            disabled_at: string | null;
            /**
             * Format: int32
             * @description Failed attempts in a row; 0 again after a success
             */
            failure_count: number;
            /**
             * Format: date-time
             * @description When these failures began
             */
            first_failure_at: string | null;
            /**
             * Format: date-time
             * @description Last success
             */
            last_dispatched_at: string | null;
            /** Format: date-time */
            last_failure_at: string | null;
            /** @description How the attempt of `last_failure_at` ended, while its delivery is kept */
            last_failure: {
                /** @description UUIDv7 */
                delivery_id: string;
                type: string;
                /**
                 * Format: int32
                 * @description HTTP status
                 */
                status: number | null;
                /** @description Why there was no good answer */
                error: string | null;
            } | null;
            /**
             * Format: date-time
             * @description When it is disabled unless an attempt succeeds before
             */
            disable_at: string | null;
            /**
             * @description open: the endpoint failed too often in a row and rests; half_open: one delivery may probe it
             * @enum {string}
             */
            circuit: "closed" | "open" | "half_open";
            /**
             * Format: date-time
             * @description When the next probe may go
             */
            circuit_until: string | null;
            /**
             * Format: date-time
             * @description After a rotation: until when the former secret signs as well
             */
            previous_secret_expires_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** @description What signatures are made with. Shown this once; null when the answer is repeated for an Idempotency-Key */
            secret: string | null;
        };
        EventType: {
            type: string;
            description: string;
            /** @description Other names to subscribe under */
            aliases: string[];
            /** @description JSON Schema of `data` */
            schema: {
                [key: string]: unknown;
            };
            /** @description A whole payload */
            example: {
                [key: string]: unknown;
            };
        };
        WebhookChanges: {
            /** @description Where events are posted to */
            url?: string;
            /** @description Event types: *, post.created, post.updated, post.deleted, post.published, post.failed, account.disconnected, account.refresh_failed, team.invitation.accepted, webhook.test, publish.success, publish.fail */
            events?: string[];
            /** @description true enables it again and closes its circuit; what was held until then is sent by `recover` only */
            active?: boolean;
            /** @description What it is for, in your own words */
            description?: string | null;
            /** @description Headers of your own that go with every call, such as Authorization. They are kept encrypted and not shown again; a call that sets them replaces all of them */
            headers?: {
                [key: string]: string;
            };
        };
        Attempt: {
            /** @description UUIDv7 */
            delivery_id: string;
            /** @description UUIDv7 */
            event_id: string;
            type: string;
            /** Format: date-time */
            at: string;
            /** @description Whether the status was 2xx */
            ok: boolean;
            /**
             * Format: int32
             * @description HTTP status; null: there was no answer
             */
            status: number | null;
            /**
             * Format: int32
             * @description How long it took, in milliseconds
             */
            duration_ms: number;
            /** @description The answer, its first 16 KB */
            response: string | null;
            /** @description Why there was no answer */
            error: string | null;
        };
        SecretRotation: {
            /**
             * Format: int32
             * @description How long the former secret signs on
             * @default 86400
             */
            overlap_seconds: number;
        };
        Delivery: {
            /** @description UUIDv7 */
            id: string;
            /** @description Which is also its `webhook-id` */
            event_id: string;
            type: string;
            /**
             * @description waiting: an attempt is to come; held: kept while the webhook is disabled; failed: it ran out of attempts
             * @enum {string}
             */
            state: "waiting" | "held" | "failed" | "delivered";
            /**
             * Format: int32
             * @description How many attempts were made
             */
            attempts: number;
            /**
             * Format: date-time
             * @description When the next attempt is due, of one that is waiting
             */
            next_attempt_at: string | null;
            /** Format: date-time */
            last_attempt_at: string | null;
            /**
             * Format: int32
             * @description HTTP status of the last attempt
             */
            last_status: number | null;
            /** @description Why the last attempt got no answer */
            last_error: string | null;
            /**
             * Format: date-time
             * @description When the event was written
             */
            created_at: string;
            /** @description What the event is about, to tell rows apart */
            subject: {
                /** @description UUIDv7 */
                id: string;
                /** @description The beginning of a post, the handle of an account, the address of who was invited */
                text: string;
            } | null;
        };
        DeliveryDetail: {
            /** @description UUIDv7 */
            id: string;
            /** @description Which is also its `webhook-id` */
            event_id: string;
            type: string;
            /**
             * @description waiting: an attempt is to come; held: kept while the webhook is disabled; failed: it ran out of attempts
             * @enum {string}
             */
            state: "waiting" | "held" | "failed" | "delivered";
            /**
             * Format: int32
             * @description How many attempts were made
             */
            attempts: number;
            /**
             * Format: date-time
             * @description When the next attempt is due, of one that is waiting
             */
            next_attempt_at: string | null;
            /** Format: date-time */
            last_attempt_at: string | null;
            /**
             * Format: int32
             * @description HTTP status of the last attempt
             */
            last_status: number | null;
            /** @description Why the last attempt got no answer */
            last_error: string | null;
            /**
             * Format: date-time
             * @description When the event was written
             */
            created_at: string;
            /** @description What the event is about, to tell rows apart */
            subject: {
                /** @description UUIDv7 */
                id: string;
                /** @description The beginning of a post, the handle of an account, the address of who was invited */
                text: string;
            } | null;
            /** @description The body that is signed and sent, to the byte */
            payload: string;
            /** @description The latest 50 attempts, newest first */
            attempt_log: {
                /**
                 * Format: int32
                 * @description First, second …
                 */
                n: number;
                /**
                 * @description schedule: by itself; retry and recover: a member asked for it; test: a test event
                 * @enum {string}
                 */
                trigger: "schedule" | "retry" | "recover" | "test";
                /** Format: date-time */
                at: string;
                /** @description Whether the status was 2xx */
                ok: boolean;
                /**
                 * Format: int32
                 * @description HTTP status; null: there was no answer
                 */
                status: number | null;
                /**
                 * Format: int32
                 * @description How long it took, in milliseconds
                 */
                duration_ms: number;
                /** @description The answer, its first 16 KB */
                response: string | null;
                /** @description Why there was no answer */
                error: string | null;
            }[];
        };
        Recovery: {
            /** Format: date-time */
            since: string;
        };
        Recovered: {
            /**
             * Format: int32
             * @description How many deliveries will be sent again
             */
            queued: number;
            /**
             * Format: int32
             * @description How many were left for another call: one sends 100,000 at most, the oldest first
             */
            remaining: number;
        };
        WebhookStats: {
            /** @enum {string} */
            period: "24h" | "7d" | "30d";
            /**
             * Format: int32
             * @description Attempts that succeeded
             */
            delivered: number;
            /**
             * Format: int32
             * @description Attempts that failed
             */
            failed: number;
            /**
             * Format: int32
             * @description Mean duration of the attempts, in milliseconds
             */
            mean_duration_ms: number | null;
            /**
             * Format: int32
             * @description Deliveries that wait for an attempt now; counted up to 10,000
             */
            waiting: number;
            /**
             * Format: int32
             * @description Deliveries that are held now; counted up to 10,000
             */
            held: number;
            /**
             * Format: int32
             * @description Deliveries that ran out of attempts and are still kept; counted up to 10,000
             */
            exhausted: number;
            /** @description By the hour for 24h, by the day of UTC otherwise; oldest first, without gaps */
            buckets: {
                /** Format: date-time */
                at: string;
                /**
                 * Format: int32
                 * @description Attempts that succeeded
                 */
                delivered: number;
                /**
                 * Format: int32
                 * @description Attempts that failed
                 */
                failed: number;
            }[];
        };
        Event: {
            /** @description UUIDv7 */
            id: string;
            type: string;
            /** Format: date-time */
            timestamp: string;
            /** @description UUIDv7 */
            workspace_id: string;
            /** @description As in GET /webhooks/event-types */
            data: {
                [key: string]: unknown;
            };
        };
        EventPage: {
            /** @description The oldest first */
            data: components["schemas"]["Event"][];
            /** @description Where to go on: there is always one */
            next_cursor: string;
            /** @description Whether there is more already */
            has_more: boolean;
        };
        Option: {
            /** @description Such as `app.name`; of the own key of an AI model `ai-model-<id>_api-key` */
            key: string;
            /** @enum {string} */
            group: "general" | "sign_in" | "mail" | "ai" | "billing";
            /** @enum {string} */
            type: "boolean" | "integer" | "string" | "enum" | "secret";
            description: string;
            /** @description What counts now */
            value: boolean | number | string | {
                set: boolean;
                /** @description Its last four characters, when there are at least twelve */
                last4: string | null;
            };
            /** @description What counts without an override: what the environment says, or the default */
            default: boolean | number | string | {
                set: boolean;
                /** @description Its last four characters, when there are at least twelve */
                last4: string | null;
            };
            /** @description The setting of the environment that this overrides */
            environment: {
                key: string;
                is_set: boolean;
            } | null;
            /**
             * @description Where `value` is from
             * @enum {string}
             */
            source: "default" | "environment" | "override";
            /** @description What an enum takes */
            values: string[] | null;
            /**
             * Format: date-time
             * @description When the override was last changed
             */
            updated_at: string | null;
        };
        OptionValue: {
            /**
             * Format: int32
             * @description As `type` says; of a secret the text
             */
            value: boolean | number | string;
        };
        TestMailInput: {
            /**
             * Format: email
             * @description Your own address when absent
             */
            to?: string;
        };
        TestMail: {
            /** @description Whether the mail server took the mail */
            ok: boolean;
            /** @description What the mail server said, or why it could not be asked */
            detail: string;
            /**
             * Format: int32
             * @description How long it took, in milliseconds
             */
            latency_ms: number;
        };
        Mail: {
            /** @description UUIDv7 */
            id: string;
            to_address: string;
            to_name: string;
            /** @description Which text it is */
            key: string;
            locale: string;
            subject: string;
            /** @description Empty once a mail that carried a code or a link of its recipient alone was sent */
            body_text: string;
            /** @description The same as HTML */
            body_html: string;
            /**
             * @description kept: no mail server was set when it was written; queued: it is sent as soon as the mail server takes it; failed: it ran out of attempts
             * @enum {string}
             */
            state: "kept" | "queued" | "sent" | "failed";
            /**
             * Format: int32
             * @description How often it was tried to be sent
             */
            attempts: number;
            /** @description What the mail server said last */
            error: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            sent_at: string | null;
        };
        EmailTemplate: {
            /** @description UUIDv7 */
            id: string;
            /** @description Which mail it is: one of `GET /email-templates/keys`, or a name of your own */
            key: string;
            /** @description Language tag (BCP 47), such as tr or en-GB; `default` for whoever has no text in their own language */
            locale: string;
            /** @description Subject. One line, without characters that cannot be seen or change the direction of text */
            subject: string;
            /** @description HTML with placeholders such as {{user_name}}; their values are escaped */
            body_html: string;
            /** @description The same as plain text; without it, it is made from the HTML */
            body_text: string | null;
            /** @description What it is for, in your own words */
            description: string | null;
            /** @description Variables that only mails with this key have, and that the template does not use */
            warnings: string[];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        NewEmailTemplate: {
            /** @description Which mail it is: one of `GET /email-templates/keys`, or a name of your own */
            key: string;
            /**
             * @description Language tag (BCP 47), such as tr or en-GB; `default` for whoever has no text in their own language
             * @default default
             */
            locale: string;
            /** @description Subject. One line, without characters that cannot be seen or change the direction of text */
            subject: string;
            /** @description HTML with placeholders such as {{user_name}}; their values are escaped */
            body_html: string;
            /** @description The same as plain text; without it, it is made from the HTML */
            body_text?: string | null;
            /** @description What it is for, in your own words */
            description?: string | null;
        };
        EmailTemplateKey: {
            /** @description Which mail it is: one of `GET /email-templates/keys`, or a name of your own */
            key: string;
            /** @description When Meydan writes this mail */
            description: string;
            variables: {
                name: string;
                description: string;
                /** @description What previews show */
                sample: string;
            }[];
            /** @description Meydan's own texts, which are sent where no template is stored */
            texts: {
                default: {
                    subject: string;
                    body_html: string;
                    body_text: string;
                };
                en: {
                    subject: string;
                    body_html: string;
                    body_text: string;
                };
                tr: {
                    subject: string;
                    body_html: string;
                    body_text: string;
                };
            };
        };
        EmailTemplateChanges: {
            /** @description Which mail it is: one of `GET /email-templates/keys`, or a name of your own */
            key?: string;
            /** @description Language tag (BCP 47), such as tr or en-GB; `default` for whoever has no text in their own language */
            locale?: string;
            /** @description Subject. One line, without characters that cannot be seen or change the direction of text */
            subject?: string;
            /** @description HTML with placeholders such as {{user_name}}; their values are escaped */
            body_html?: string;
            /** @description The same as plain text; without it, it is made from the HTML */
            body_text?: string | null;
            /** @description What it is for, in your own words */
            description?: string | null;
        };
        EmailTemplateDraft: {
            /** @description Which mail it is: one of `GET /email-templates/keys`, or a name of your own */
            key: string;
            /** @description Language tag (BCP 47), such as tr or en-GB; `default` for whoever has no text in their own language */
            locale: string;
            /** @description Subject. One line, without characters that cannot be seen or change the direction of text */
            subject: string;
            /** @description HTML with placeholders such as {{user_name}}; their values are escaped */
            body_html: string;
            /** @description The same as plain text; without it, it is made from the HTML */
            body_text?: string | null;
            /** @description Values to show instead of the samples */
            variables?: {
                [key: string]: string;
            };
        };
        EmailTemplatePreview: {
            subject: string;
            body_html: string;
            body_text: string;
            /** @description Variables without a value: nothing stands there */
            missing: string[];
            /** @description Variables that only mails with this key have, and that the template does not use */
            warnings: string[];
        };
        EmailTemplatePreviewInput: {
            /** @description Values to show instead of the samples */
            variables?: {
                [key: string]: string;
            };
        };
        EmailTemplateTestInput: {
            /**
             * Format: email
             * @description Your own address when absent
             */
            to?: string;
            /** @description Values to show instead of the samples */
            variables?: {
                [key: string]: string;
            };
        };
        EmailTemplateTest: {
            /** @description UUIDv7 */
            mail_id: string;
            /**
             * @description As in the outbox
             * @enum {string}
             */
            state: "kept" | "queued" | "sent" | "failed";
        };
        AiModel: {
            /**
             * Format: int32
             * @description First, second …
             */
            id: number;
            /** @description The same for the public: it does not tell how many there are */
            id_secure: string;
            /**
             * @description The vendor. `ollama`: a server of your own; `custom`: any other that speaks the protocol of OpenAI
             * @enum {string}
             */
            provider: "openai" | "anthropic" | "google" | "xai" | "mistral" | "ollama" | "custom";
            /** @description What the vendor calls the model */
            model_key: string;
            /** @description What the model is called here. One line, without characters that cannot be seen or change the direction of text */
            name: string;
            /**
             * @description What the model makes
             * @enum {string}
             */
            category: "text" | "image" | "video";
            /** @description Any further kind of your own. One line, without characters that cannot be seen or change the direction of text */
            type: string | null;
            /** @description false: nobody can generate with it */
            is_active: boolean;
            /**
             * @description How a text model is called. `completion` is offered by openai, ollama and custom alone
             * @enum {string}
             */
            api_type: "chat" | "completion" | "embedding";
            /** @description How the model is called. At most 16 KB as JSON */
            api_params: {
                /**
                 * Format: int32
                 * @description The most tokens of an answer; null: as many as the vendor allows
                 * @default 1024
                 */
                max_tokens: number | null;
                /**
                 * @description null: not sent, for models that refuse it
                 * @default 0.7
                 */
                temperature: number | null;
                top_p?: number | null;
                /** @description In place of the vendor's own address. Private ranges only as AI_ALLOW_CIDRS allows */
                base_url?: string | null;
                /** @description Settings of the vendor's own, passed on to its package */
                provider_options?: {
                    [key: string]: unknown;
                } | null;
            } & {
                [key: string]: unknown;
            };
            /** @description Notes of your own. At most 16 KB as JSON */
            meta: {
                [key: string]: unknown;
            };
            /** @description Whether the model has a key of its own. Keys are never shown */
            api_key: {
                set: boolean;
                /** @description Of keys of at least 12 characters */
                last4: string | null;
            };
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        NewAiModel: {
            /**
             * @description The vendor. `ollama`: a server of your own; `custom`: any other that speaks the protocol of OpenAI
             * @enum {string}
             */
            provider: "openai" | "anthropic" | "google" | "xai" | "mistral" | "ollama" | "custom";
            /** @description What the vendor calls the model */
            model_key: string;
            /** @description What the model is called here. One line, without characters that cannot be seen or change the direction of text */
            name: string;
            /**
             * @default text
             * @enum {string}
             */
            category: "text" | "image" | "video";
            /** @description Any further kind of your own. One line, without characters that cannot be seen or change the direction of text */
            type?: string | null;
            /** @default true */
            is_active: boolean;
            /**
             * @default chat
             * @enum {string}
             */
            api_type: "chat" | "completion" | "embedding";
            /** @description How the model is called. At most 16 KB as JSON */
            api_params?: {
                /**
                 * Format: int32
                 * @description The most tokens of an answer; null: as many as the vendor allows
                 * @default 1024
                 */
                max_tokens: number | null;
                /**
                 * @description null: not sent, for models that refuse it
                 * @default 0.7
                 */
                temperature: number | null;
                top_p?: number | null;
                /** @description In place of the vendor's own address. Private ranges only as AI_ALLOW_CIDRS allows */
                base_url?: string | null;
                /** @description Settings of the vendor's own, passed on to its package */
                provider_options?: {
                    [key: string]: unknown;
                } | null;
            } & {
                [key: string]: unknown;
            };
            /** @description Notes of your own. At most 16 KB as JSON */
            meta?: {
                [key: string]: unknown;
            };
        };
        /** @description A model that can be generated with */
        ActiveAiModel: {
            /**
             * Format: int32
             * @description First, second …
             */
            id: number;
            /** @description The same for the public: it does not tell how many there are */
            id_secure: string;
            /**
             * @description The vendor. `ollama`: a server of your own; `custom`: any other that speaks the protocol of OpenAI
             * @enum {string}
             */
            provider: "openai" | "anthropic" | "google" | "xai" | "mistral" | "ollama" | "custom";
            /** @description What the vendor calls the model */
            model_key: string;
            /** @description What the model is called here. One line, without characters that cannot be seen or change the direction of text */
            name: string;
            /**
             * @description What the model makes
             * @enum {string}
             */
            category: "text" | "image" | "video";
            /** @description Any further kind of your own. One line, without characters that cannot be seen or change the direction of text */
            type: string | null;
            /**
             * @description How a text model is called. `completion` is offered by openai, ollama and custom alone
             * @enum {string}
             */
            api_type: "chat" | "completion" | "embedding";
        };
        /** @description What is absent stays; `api_params` and `meta` are replaced whole */
        AiModelChanges: {
            /**
             * @description The vendor. `ollama`: a server of your own; `custom`: any other that speaks the protocol of OpenAI
             * @enum {string}
             */
            provider?: "openai" | "anthropic" | "google" | "xai" | "mistral" | "ollama" | "custom";
            /** @description What the vendor calls the model */
            model_key?: string;
            /** @description What the model is called here. One line, without characters that cannot be seen or change the direction of text */
            name?: string;
            /**
             * @description What the model makes
             * @enum {string}
             */
            category?: "text" | "image" | "video";
            /** @description Any further kind of your own. One line, without characters that cannot be seen or change the direction of text */
            type?: string | null;
            is_active?: boolean;
            /**
             * @description How a text model is called. `completion` is offered by openai, ollama and custom alone
             * @enum {string}
             */
            api_type?: "chat" | "completion" | "embedding";
            /** @description How the model is called. At most 16 KB as JSON */
            api_params?: {
                /**
                 * Format: int32
                 * @description The most tokens of an answer; null: as many as the vendor allows
                 * @default 1024
                 */
                max_tokens: number | null;
                /**
                 * @description null: not sent, for models that refuse it
                 * @default 0.7
                 */
                temperature: number | null;
                top_p?: number | null;
                /** @description In place of the vendor's own address. Private ranges only as AI_ALLOW_CIDRS allows */
                base_url?: string | null;
                /** @description Settings of the vendor's own, passed on to its package */
                provider_options?: {
                    [key: string]: unknown;
                } | null;
            } & {
                [key: string]: unknown;
            };
            /** @description Notes of your own. At most 16 KB as JSON */
            meta?: {
                [key: string]: unknown;
            };
        };
        AiModelKey: {
            /** @description The key of the vendor for this model alone; null removes it */
            api_key: string | null;
        };
        AiModelTestInput: {
            /** @description What is asked. Without it: a short question */
            prompt?: string;
        };
        AiModelTest: {
            /** @description Whether the vendor answered as it should */
            ok: boolean;
            /** @description What a text model answered */
            text: string | null;
            /**
             * Format: int32
             * @description How long it took, in milliseconds
             */
            latency_ms: number;
            usage: {
                /**
                 * Format: int32
                 * @description Tokens that were read
                 */
                input_tokens: number;
                /**
                 * Format: int32
                 * @description Tokens that were written
                 */
                output_tokens: number;
            } | null;
            /**
             * @description Whose key was used: the model's own, the global one of its vendor, or none
             * @enum {string}
             */
            key_source: "model" | "global" | "none";
            key_last4: string | null;
            /**
             * @description What went wrong; null when nothing did
             * @enum {string|null}
             */
            error_code: "unauthorized" | "forbidden" | "not_found" | "rate_limited" | "bad_request" | "vendor_error" | "timeout" | "unreachable" | "garbage" | "refused_url" | null;
            /** @description The same in words */
            detail: string | null;
            /**
             * Format: int32
             * @description When the vendor is to be asked again
             */
            retry_after_s: number | null;
        };
        PublicPlan: {
            /** @description Unique whatever the case of its letters, and never changed */
            code: string;
            /** @description What it is called on the price list. One line, without characters that cannot be seen or change the direction of text */
            name: string;
            /** @description One or two sentences beside the price */
            description: string;
            /**
             * Format: int32
             * @description Its place in lists
             */
            position: number;
            /** @description Whether it stands out on the price list */
            is_featured: boolean;
            /**
             * Format: int32
             * @description How long it can be tried for nothing; null: not at all
             */
            trial_days: number | null;
            /** @description Decimal numbers in major units */
            prices: {
                /** @description In Turkish lira */
                try: {
                    /**
                     * @description For a month, with at most two decimals
                     * @example 299.9
                     */
                    monthly: number;
                    /**
                     * @description For a year, with at most two decimals
                     * @example 299.9
                     */
                    yearly: number;
                };
                /** @description In US dollars; null: not sold for them */
                usd: {
                    /**
                     * @description For a month, with at most two decimals
                     * @example 299.9
                     */
                    monthly: number;
                    /**
                     * @description For a year, with at most two decimals
                     * @example 299.9
                     */
                    yearly: number;
                } | null;
            };
            /** @description -1: as many as one likes */
            limits: {
                /**
                 * Format: int32
                 * @description Connected accounts
                 */
                social_accounts: number;
                /**
                 * Format: int32
                 * @description Posts scheduled or published in a calendar month (UTC)
                 */
                posts_per_month: number;
                /**
                 * Format: int32
                 * @description AI credits in a calendar month (UTC)
                 */
                ai_credits: number;
                /**
                 * Format: int32
                 * @description Members, those invited included
                 */
                team_members: number;
                /**
                 * Format: int32
                 * @description Files, in MB
                 */
                storage_mb: number;
                /**
                 * Format: int32
                 * @description Posts that wait for their time
                 */
                scheduled_posts_max: number;
            };
            /** @description What people read on the price list */
            features: string[];
            /** @description The parts of Meydan that need a plan and that this one includes */
            entitlements: ("ai.agents" | "approvals" | "audit_log" | "marketplace.sell")[];
        };
        PriceList: {
            data: components["schemas"]["PublicPlan"][];
            /** @description There is one page */
            next_cursor: null;
        };
        Plan: {
            /** @description Unique whatever the case of its letters, and never changed */
            code: string;
            /** @description What it is called on the price list. One line, without characters that cannot be seen or change the direction of text */
            name: string;
            /** @description One or two sentences beside the price */
            description: string;
            /**
             * Format: int32
             * @description Its place in lists
             */
            position: number;
            /** @description Whether it stands out on the price list */
            is_featured: boolean;
            /** @description Whether it is on the price list */
            is_public: boolean;
            /** @description false: archived. Workspaces that live by it keep it; nobody new gets it */
            is_active: boolean;
            /**
             * Format: int32
             * @description How long it can be tried for nothing; null: not at all
             */
            trial_days: number | null;
            /** @description Decimal numbers in major units */
            prices: {
                /** @description In Turkish lira */
                try: {
                    /**
                     * @description For a month, with at most two decimals
                     * @example 299.9
                     */
                    monthly: number;
                    /**
                     * @description For a year, with at most two decimals
                     * @example 299.9
                     */
                    yearly: number;
                };
                /** @description In US dollars; null: not sold for them */
                usd: {
                    /**
                     * @description For a month, with at most two decimals
                     * @example 299.9
                     */
                    monthly: number;
                    /**
                     * @description For a year, with at most two decimals
                     * @example 299.9
                     */
                    yearly: number;
                } | null;
            };
            /** @description -1: as many as one likes */
            limits: {
                /**
                 * Format: int32
                 * @description Connected accounts
                 */
                social_accounts: number;
                /**
                 * Format: int32
                 * @description Posts scheduled or published in a calendar month (UTC)
                 */
                posts_per_month: number;
                /**
                 * Format: int32
                 * @description AI credits in a calendar month (UTC)
                 */
                ai_credits: number;
                /**
                 * Format: int32
                 * @description Members, those invited included
                 */
                team_members: number;
                /**
                 * Format: int32
                 * @description Files, in MB
                 */
                storage_mb: number;
                /**
                 * Format: int32
                 * @description Posts that wait for their time
                 */
                scheduled_posts_max: number;
            };
            /** @description What people read on the price list */
            features: string[];
            /** @description The parts of Meydan that need a plan and that this one includes */
            entitlements: ("ai.agents" | "approvals" | "audit_log" | "marketplace.sell")[];
            /** @description Notes of your own, such as the ids of its prices at payment processors; at most 16 KB */
            metadata: {
                [key: string]: string;
            };
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        NewPlan: {
            /** @description Unique whatever the case of its letters, and never changed */
            code: string;
            /** @description What it is called on the price list. One line, without characters that cannot be seen or change the direction of text */
            name: string;
            /** @description One or two sentences beside the price */
            description?: string;
            /**
             * Format: int32
             * @description Its place in lists; absent: the last
             */
            position?: number;
            /** @description Whether it stands out on the price list */
            is_featured?: boolean;
            /** @description Whether it is on the price list */
            is_public?: boolean;
            /** @description false: archived. Workspaces that live by it keep it; nobody new gets it */
            is_active?: boolean;
            /**
             * Format: int32
             * @description How long it can be tried for nothing; null: not at all
             */
            trial_days?: number | null;
            /** @description Decimal numbers in major units */
            prices: {
                /** @description In Turkish lira */
                try: {
                    /**
                     * @description For a month, with at most two decimals
                     * @example 299.9
                     */
                    monthly: number;
                    /**
                     * @description For a year, with at most two decimals
                     * @example 299.9
                     */
                    yearly: number;
                };
                /** @description In US dollars; null: not sold for them */
                usd: {
                    /**
                     * @description For a month, with at most two decimals
                     * @example 299.9
                     */
                    monthly: number;
                    /**
                     * @description For a year, with at most two decimals
                     * @example 299.9
                     */
                    yearly: number;
                } | null;
            };
            /** @description -1: as many as one likes */
            limits: {
                /**
                 * Format: int32
                 * @description Connected accounts
                 */
                social_accounts: number;
                /**
                 * Format: int32
                 * @description Posts scheduled or published in a calendar month (UTC)
                 */
                posts_per_month: number;
                /**
                 * Format: int32
                 * @description AI credits in a calendar month (UTC)
                 */
                ai_credits: number;
                /**
                 * Format: int32
                 * @description Members, those invited included
                 */
                team_members: number;
                /**
                 * Format: int32
                 * @description Files, in MB
                 */
                storage_mb: number;
                /**
                 * Format: int32
                 * @description Posts that wait for their time
                 */
                scheduled_posts_max: number;
            };
            /** @description What people read on the price list */
            features?: string[];
            /** @description The parts of Meydan that need a plan and that this one includes */
            entitlements?: ("ai.agents" | "approvals" | "audit_log" | "marketplace.sell")[];
            /** @description Notes of your own, such as the ids of its prices at payment processors; at most 16 KB */
            metadata?: {
                [key: string]: string;
            };
        };
        PlanOrder: {
            /** @description Every code once, in the order of lists */
            codes: string[];
        };
        PlanChanges: {
            /** @description What it is called on the price list. One line, without characters that cannot be seen or change the direction of text */
            name?: string;
            /** @description One or two sentences beside the price */
            description?: string;
            /**
             * Format: int32
             * @description Its place in lists
             */
            position?: number;
            /** @description Whether it stands out on the price list */
            is_featured?: boolean;
            /** @description Whether it is on the price list */
            is_public?: boolean;
            /** @description true brings an archived plan back; false archives it, as the route for it does */
            is_active?: boolean;
            /**
             * Format: int32
             * @description How long it can be tried for nothing; null: not at all
             */
            trial_days?: number | null;
            /** @description Decimal numbers in major units */
            prices?: {
                /** @description In Turkish lira */
                try: {
                    /**
                     * @description For a month, with at most two decimals
                     * @example 299.9
                     */
                    monthly: number;
                    /**
                     * @description For a year, with at most two decimals
                     * @example 299.9
                     */
                    yearly: number;
                };
                /** @description In US dollars; null: not sold for them */
                usd: {
                    /**
                     * @description For a month, with at most two decimals
                     * @example 299.9
                     */
                    monthly: number;
                    /**
                     * @description For a year, with at most two decimals
                     * @example 299.9
                     */
                    yearly: number;
                } | null;
            };
            /** @description -1: as many as one likes */
            limits?: {
                /**
                 * Format: int32
                 * @description Connected accounts
                 */
                social_accounts: number;
                /**
                 * Format: int32
                 * @description Posts scheduled or published in a calendar month (UTC)
                 */
                posts_per_month: number;
                /**
                 * Format: int32
                 * @description AI credits in a calendar month (UTC)
                 */
                ai_credits: number;
                /**
                 * Format: int32
                 * @description Members, those invited included
                 */
                team_members: number;
                /**
                 * Format: int32
                 * @description Files, in MB
                 */
                storage_mb: number;
                /**
                 * Format: int32
                 * @description Posts that wait for their time
                 */
                scheduled_posts_max: number;
            };
            /** @description What people read on the price list */
            features?: string[];
            /** @description The parts of Meydan that need a plan and that this one includes */
            entitlements?: ("ai.agents" | "approvals" | "audit_log" | "marketplace.sell")[];
            /** @description Notes of your own, such as the ids of its prices at payment processors; at most 16 KB */
            metadata?: {
                [key: string]: string;
            };
        };
        Usage: {
            /** @description What the workspace lives by; null: this instance has no plans in force */
            plan: {
                code: string;
                name: string;
            } | null;
            /** @description false: nothing is limited, and everything is included */
            billing_enabled: boolean;
            /**
             * Format: date-time
             * @description When what is counted by the month began to count
             */
            period_start: string;
            /**
             * Format: date-time
             * @description When it begins anew
             */
            period_end: string;
            meters: {
                /** @enum {string} */
                meter: "social_accounts" | "posts_per_month" | "scheduled_posts_max" | "ai_credits" | "team_members" | "storage_mb";
                /** Format: int32 */
                used: number;
                /**
                 * Format: int32
                 * @description -1: as many as one likes
                 */
                limit: number;
            }[];
        };
        TextPrompt: {
            /** @description What to make */
            prompt: string;
            /** @description How to go about it */
            system?: string;
            /**
             * Format: int32
             * @description Id of the model, `id` or `id_secure`. Absent: the one that this installation prefers
             */
            model?: number | string;
            /**
             * Format: int32
             * @description Absent: as the model is set up
             */
            max_output_tokens?: number;
            /** @description Absent: as the model is set up */
            temperature?: number;
        };
        GeneratedText: {
            /** @description UUIDv7 */
            id: string;
            /**
             * @description Why the text ends; length: at max_output_tokens
             * @enum {string}
             */
            finish_reason: "stop" | "length" | "content-filter" | "tool-calls" | "other";
            model: {
                /**
                 * Format: int32
                 * @description Number of the model
                 */
                id: number;
                /** @description UUIDv7 */
                id_secure: string;
                name: string;
            };
            usage: {
                /**
                 * Format: int32
                 * @description Tokens that were read
                 */
                input_tokens: number | null;
                /**
                 * Format: int32
                 * @description Tokens that were written
                 */
                output_tokens: number | null;
            };
            /**
             * Format: int32
             * @description AI credits that it took
             */
            credits: number;
            text: string;
        };
        ImagePrompt: {
            /** @description What to make */
            prompt: string;
            /**
             * Format: int32
             * @description Id of the model, `id` or `id_secure`. Absent: the one that this installation prefers
             */
            model?: number | string;
            /**
             * @description Width and height in pixels, out of those that the model makes. Absent: its own choice
             * @example 1024x1024
             */
            size?: string;
            /**
             * Format: int32
             * @description How many
             * @default 1
             */
            n: number;
        };
        GeneratedFile: {
            /** @description UUIDv7 */
            id: string;
            /** @description Path of the file on this installation; it is kept for 7 days */
            url: string;
            mime: string;
            /**
             * Format: int32
             * @description Size
             */
            bytes: number;
        };
        GeneratedImages: {
            /** @description UUIDv7 */
            id: string;
            files: components["schemas"]["GeneratedFile"][];
            model: {
                /**
                 * Format: int32
                 * @description Number of the model
                 */
                id: number;
                /** @description UUIDv7 */
                id_secure: string;
                name: string;
            };
            /**
             * Format: int32
             * @description AI credits that it took
             */
            credits: number;
        };
        VideoPrompt: {
            /** @description What to make */
            prompt: string;
            /**
             * Format: int32
             * @description Id of the model, `id` or `id_secure`. Absent: the one that this installation prefers
             */
            model?: number | string;
            /** @example 16:9 */
            aspect_ratio?: string;
            /**
             * Format: int32
             * @description Length in seconds
             */
            duration_s?: number;
        };
        Generation: {
            /** @description UUIDv7 */
            id: string;
            /** @enum {string} */
            kind: "text" | "image" | "video";
            /** @enum {string} */
            state: "running" | "succeeded" | "failed" | "canceled";
            /** @description Of a video that is being made; 1: done */
            progress: number | null;
            prompt: string | null;
            model: {
                /**
                 * Format: int32
                 * @description Number of the model
                 */
                id: number;
                /** @description UUIDv7 */
                id_secure: string;
                name: string;
            } | null;
            /**
             * Format: int32
             * @description AI credits that it took; 0 when it failed, or was canceled before anything of it was told
             */
            credits: number;
            usage: {
                /**
                 * Format: int32
                 * @description Tokens that were read
                 */
                input_tokens: number | null;
                /**
                 * Format: int32
                 * @description Tokens that were written
                 */
                output_tokens: number | null;
            } | null;
            /** @description Those that are still kept */
            files: components["schemas"]["GeneratedFile"][];
            /** @description Why it failed: a code of a refusal, or `interrupted` */
            error_code: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            ended_at: string | null;
            /** @description Who asked for it */
            user_id: string | null;
        };
        Network: {
            id: string;
            name: string;
            description: string;
            /** @description What to send in POST /accounts besides network and name */
            form: {
                key: string;
                label: string;
                /** @enum {string} */
                type: "text" | "url" | "password";
                required: boolean;
                default?: string;
                help?: string;
            }[];
            capabilities: {
                /**
                 * Format: int32
                 * @description Longest text, in characters as readers count them
                 */
                max_length: number;
                /** @description Whether a published post can be edited there */
                edit: boolean;
            };
        };
        Account: {
            /** @description UUIDv7 */
            id: string;
            /** @description Which network, by its id in GET /accounts/networks */
            network: string;
            /** @description Name inside of Meydan */
            name: string;
            /** @description Name on the network */
            handle: string;
            /** @description Profile on the network */
            url: string | null;
            /**
             * @description disconnected: the network no longer accepts the credentials
             * @enum {string}
             */
            status: "connected" | "disconnected";
            /** @description Why it is disconnected */
            status_detail: string | null;
            /**
             * Format: date-time
             * @description When its network was last asked, by POST /accounts/:id/check
             */
            checked_at: string | null;
            /**
             * Format: date-time
             * @description When a post that is still kept was last published there
             */
            last_published_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        /** @description Besides these, the fields of the form of the network (GET /accounts/networks). */
        NewAccount: {
            /** @description Id from GET /accounts/networks */
            network: string;
            /** @description Name inside of Meydan. One line, without characters that cannot be seen or change the direction of text */
            name?: string;
        } & {
            [key: string]: string;
        };
        PlaygroundPost: {
            /** @description UUIDv7 */
            id: string;
            /** @description UUIDv7 */
            account_id: string;
            /** @description Name inside of Meydan */
            account_name: string;
            /** @description Name of the account on the Playground */
            handle: string;
            content: string;
            /** Format: date-time */
            created_at: string;
        };
        Target: {
            /** @description UUIDv7 */
            id: string;
            /** @description UUIDv7 */
            account_id: string;
            network: string;
            /** @description Name of the account on its network */
            handle: string;
            /** @description Text for this account; null: the text of the post */
            content: string | null;
            /** @description Settings for the network of this account */
            options: {
                [key: string]: unknown;
            };
            /**
             * @description unconfirmed: sent, but the answer was lost; the network is being asked whether it arrived
             * @enum {string}
             */
            status: "pending" | "publishing" | "unconfirmed" | "published" | "failed";
            /** @description Id on the network */
            external_id: string | null;
            /** @description Where to see it on the network */
            url: string | null;
            error_code: string | null;
            error_message: string | null;
            /**
             * Format: int32
             * @description How often publishing was tried
             */
            attempts: number;
            /** Format: date-time */
            published_at: string | null;
        };
        Post: {
            /** @description UUIDv7 */
            id: string;
            /** @description Text of the post */
            content: string;
            labels: string[];
            /** @enum {string} */
            status: "draft" | "scheduled" | "publishing" | "published" | "partially_published" | "failed";
            /** Format: date-time */
            scheduled_at: string | null;
            /** Format: date-time */
            published_at: string | null;
            /** @description UUIDv7 */
            author_id: string | null;
            targets: components["schemas"]["Target"][];
            /** @description What would keep a draft from being scheduled */
            warnings: {
                pointer: string;
                message: string;
            }[];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        NewTarget: {
            /** @description UUIDv7 */
            account_id: string;
            /** @description Text of the post */
            content?: string | null;
            /** @description Settings for the network of this account */
            options?: {
                [key: string]: unknown;
            };
        };
        NewPost: {
            /** @description Text of the post */
            content: string;
            /** @description Where to publish */
            account_ids?: string[];
            /** @description In place of account_ids: where, with text and settings of its own */
            targets?: components["schemas"]["NewTarget"][];
            /**
             * Format: date-time
             * @description When to publish; neither this nor publish_now: a draft
             */
            scheduled_at?: string | null;
            /** @description Publish at once */
            publish_now?: boolean;
            labels?: string[];
        };
        DeletedPost: {
            /** @description UUIDv7 */
            id: string;
            /** Format: date-time */
            deleted_at: string;
        };
        ChangePost: {
            /** @description Text of the post */
            content?: string;
            /** @description Where to publish */
            account_ids?: string[];
            /** @description In place of account_ids: where, with text and settings of its own */
            targets?: components["schemas"]["NewTarget"][];
            /**
             * Format: date-time
             * @description When to publish; neither this nor publish_now: a draft
             */
            scheduled_at?: string | null;
            labels?: string[];
        };
    };
    responses: {
        /** @description Malformed or invalid: `malformed_request`, `malformed_json`, `validation_failed`, `read_only`, `url_not_allowed`, `account_refused`, `search_too_slow`, `account_unreachable`, `ai_refused`, `verification_failed`, `code_rejected` */
        Invalid: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description No or bad credentials: `unauthenticated`, `sign_in_failed` */
        Unauthenticated: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Not allowed: `email_not_verified`, `banned`, `sign_up_closed`, `password_wrong`, `forbidden_role`, `insufficient_scope`, `feature_not_available`, `limit_exceeded`, `token_not_accepted`, `cross_origin`, `setup_code_invalid` */
        Forbidden: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Absent, or not yours: `not_found` */
        NotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description In conflict with what is there: `workspace_required`, `workspace_name_taken`, `workspace_slug_taken`, `plan_code_taken`, `account_taken`, `member_taken`, `invitation_taken`, `email_template_taken`, `last_owner`, `two_factor_on`, `two_factor_off`, `model_key_missing`, `no_model`, `model_key_refused`, `model_unusable`, `idempotency_key_in_use`, `invalid_transition`, `setup_done` */
        Conflict: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The record has changed since the version that If-Match names: `version_conflict` */
        Changed: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Body too large: `body_too_large` */
        TooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Body is not JSON: `unsupported_media_type` */
        NotJson: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The Idempotency-Key came with another body before: `idempotency_key_reused` */
        KeyReused: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Too many requests: `too_many_requests`, `ai_rate_limited` */
        TooManyRequests: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Something went wrong on our side: `internal_error` */
        InternalError: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Any other problem */
        OtherProblem: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
    };
    parameters: {
        /** @description Id or slug of the workspace that is meant. Without it: the one chosen with PATCH /me, else the only one. A token that is bound to a workspace always means that one. */
        "X-Workspace-Id": string;
        /** @description ETag of the record as you know it. When it has changed since, nothing is done and the answer is 412. */
        "If-Match": string;
        /** @description Of your own choice, new for every call that is meant anew. The same call again within 24 hours does nothing more, and gets the first answer. */
        "Idempotency-Key": string;
    };
    requestBodies: never;
    headers: {
        /** @description Under this the server log tells more. One that the request carries is taken over. */
        "X-Request-Id": string;
        /** @description The limit that counts this call: calls (q) in a time (w, seconds). Absent without one. */
        "RateLimit-Policy": string;
        /** @description What is left of the limit (r), and when it is whole again (t, seconds). Absent without one. */
        RateLimit: string;
        /** @description When to try again, in seconds */
        "Retry-After": number;
        /** @description The version of the record, for If-Match */
        ETag: string;
        /** @description Pages of every origin may read this */
        "Access-Control-Allow-Origin": "*";
        /** @description true: the answer of the first call with this Idempotency-Key */
        "Idempotent-Replayed": "true";
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    signUp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: email
                     * @description E-mail address
                     */
                    email: string;
                    /** @description 10 to 200 characters */
                    password: string;
                    /** @description Name that others see. One line, without characters that cannot be seen or change the direction of text */
                    name: string;
                    /** @description Language tag (BCP 47), such as tr or en-GB */
                    locale?: string;
                    /** @description Token of a mailed invitation to this address, where sign-up is by invitation */
                    invitation?: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        user: {
                            /**
                             * Format: email
                             * @description E-mail address
                             */
                            email: string;
                            /** @description Name that others see. One line, without characters that cannot be seen or change the direction of text */
                            name: string;
                        };
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    sendCode: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: email
                     * @description E-mail address
                     */
                    email: string;
                    /** @enum {string} */
                    type: "email-verification";
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    verifyEmail: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: email
                     * @description E-mail address
                     */
                    email: string;
                    /** @description The six digits from the mail */
                    otp: string;
                    /** @description The password of the sign-up, which then counts in any case */
                    password?: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        status: boolean;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    signIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: email
                     * @description E-mail address
                     */
                    email: string;
                    password: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        user?: {
                            /** @description UUIDv7 */
                            id: string;
                            /**
                             * Format: email
                             * @description E-mail address
                             */
                            email: string;
                            /** @description Name that others see. One line, without characters that cannot be seen or change the direction of text */
                            name: string;
                            emailVerified: boolean;
                        };
                        /** @description true: there is no session yet; a code of the second factor comes next */
                        two_factor_required?: boolean;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    verifyTotp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The six digits that the app shows */
                    code: string;
                    /** @description Ask this browser for no second factor in the next 30 days */
                    trustDevice?: boolean;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        user: {
                            /** @description UUIDv7 */
                            id: string;
                            /**
                             * Format: email
                             * @description E-mail address
                             */
                            email: string;
                            /** @description Name that others see. One line, without characters that cannot be seen or change the direction of text */
                            name: string;
                            emailVerified: boolean;
                        };
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    verifyBackupCode: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description One of the backup codes */
                    code: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        user: {
                            /** @description UUIDv7 */
                            id: string;
                            /**
                             * Format: email
                             * @description E-mail address
                             */
                            email: string;
                            /** @description Name that others see. One line, without characters that cannot be seen or change the direction of text */
                            name: string;
                            emailVerified: boolean;
                        };
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    signOut: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    requestPasswordReset: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: email
                     * @description E-mail address
                     */
                    email: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        status: boolean;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    resetPassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description From the mailed link */
                    token: string;
                    /** @description 10 to 200 characters */
                    newPassword: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        status: boolean;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    readMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Me"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    deleteMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConfirmedByPassword"];
            };
        };
        responses: {
            /** @description Done; there is nothing to return */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    changeMe: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the record as you know it. When it has changed since, nothing is done and the answer is 412. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeMe"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Me"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["Changed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    exportMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Everything that Meydan keeps about you, and what you wrote */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PersonalExport"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    changePassword: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of your own choice, new for every call that is meant anew. The same call again within 24 hours does nothing more, and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangePassword"];
            };
        };
        responses: {
            /** @description Done; there is nothing to return */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["NotJson"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    readEmailChange: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A change of address that waits for the codes */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmailChange"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    requestEmailChange: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of your own choice, new for every call that is meant anew. The same call again within 24 hours does nothing more, and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeEmail"];
            };
        };
        responses: {
            /** @description A change of address that waits for the codes */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmailChange"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["NotJson"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    cancelEmailChange: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; there is nothing to return */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    confirmEmailChange: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of your own choice, new for every call that is meant anew. The same call again within 24 hours does nothing more, and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConfirmEmail"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Me"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["NotJson"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    setUpTwoFactor: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of your own choice, new for every call that is meant anew. The same call again within 24 hours does nothing more, and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConfirmedByPassword"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TwoFactorSetup"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["NotJson"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    turnOffTwoFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConfirmedByPassword"];
            };
        };
        responses: {
            /** @description Done; there is nothing to return */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    confirmTwoFactor: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of your own choice, new for every call that is meant anew. The same call again within 24 hours does nothing more, and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConfirmTwoFactor"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Me"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["NotJson"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    renewBackupCodes: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of your own choice, new for every call that is meant anew. The same call again within 24 hours does nothing more, and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConfirmedByPassword"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewBackupCodes"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["NotJson"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    listSessions: {
        parameters: {
            query?: {
                /** @description How many to return */
                limit?: number;
                /** @description `next_cursor` of the page before; absent for the first page */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Session"][];
                        /** @description For the next page; null on the last */
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    endOtherSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; there is nothing to return */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    endSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description UUIDv7 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; there is nothing to return */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    listUsers: {
        parameters: {
            query?: {
                /** @description How many to return */
                limit?: number;
                /** @description `next_cursor` of the page before; absent for the first page */
                cursor?: string;
                /** @description Part of the address or the name */
                search?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AdminUser"][];
                        /** @description For the next page; null on the last */
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    banUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of your own choice, new for every call that is meant anew. The same call again within 24 hours does nothing more, and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description UUIDv7 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Ban"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminUser"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["NotJson"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    unbanUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of your own choice, new for every call that is meant anew. The same call again within 24 hours does nothing more, and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description UUIDv7 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminUser"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["NotJson"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    readInstance: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Instance"];
                };
            };
            400: components["responses"]["Invalid"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    setUp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetUp"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SetUpDone"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    listWorkspaces: {
        parameters: {
            query?: {
                /** @description How many to return */
                limit?: number;
                /** @description `next_cursor` of the page before; absent for the first page */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Workspace"][];
                        /** @description For the next page; null on the last */
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    createWorkspace: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of your own choice, new for every call that is meant anew. The same call again within 24 hours does nothing more, and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewWorkspace"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workspace"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["NotJson"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    readWorkspace: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace that is meant. Without it: the one chosen with PATCH /me, else the only one. A token that is bound to a workspace always means that one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workspace"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    deleteWorkspace: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace that is meant. Without it: the one chosen with PATCH /me, else the only one. A token that is bound to a workspace always means that one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DeleteWorkspace"];
            };
        };
        responses: {
            /** @description Done; there is nothing to return */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    changeWorkspace: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace that is meant. Without it: the one chosen with PATCH /me, else the only one. A token that is bound to a workspace always means that one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description ETag of the record as you know it. When it has changed since, nothing is done and the answer is 412. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeWorkspace"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workspace"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["Changed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    publicReadWorkspace: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace that is meant. Without it: the one chosen with PATCH /me, else the only one. A token that is bound to a workspace always means that one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workspace"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    publicChangeWorkspace: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace that is meant. Without it: the one chosen with PATCH /me, else the only one. A token that is bound to a workspace always means that one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description ETag of the record as you know it. When it has changed since, nothing is done and the answer is 412. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeWorkspace"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workspace"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["Changed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    listDeletedWorkspaces: {
        parameters: {
            query?: {
                /** @description How many to return */
                limit?: number;
                /** @description `next_cursor` of the page before; absent for the first page */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["DeletedWorkspace"][];
                        /** @description For the next page; null on the last */
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    restoreWorkspace: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of your own choice, new for every call that is meant anew. The same call again within 24 hours does nothing more, and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description UUIDv7 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workspace"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["NotJson"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    readChecklist: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace that is meant. Without it: the one chosen with PATCH /me, else the only one. A token that is bound to a workspace always means that one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Checklist"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    dismissChecklist: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace that is meant. Without it: the one chosen with PATCH /me, else the only one. A token that is bound to a workspace always means that one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description Of your own choice, new for every call that is meant anew. The same call again within 24 hours does nothing more, and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Checklist"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["NotJson"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    listMembers: {
        parameters: {
            query?: {
                /** @description How many to return */
                limit?: number;
                /** @description `next_cursor` of the page before; absent for the first page */
                cursor?: string;
            };
            header?: {
                /** @description Id or slug of the workspace that is meant. Without it: the one chosen with PATCH /me, else the only one. A token that is bound to a workspace always means that one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["WorkspaceMember"][];
                        /** @description For the next page; null on the last */
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    publicListMembers: {
        parameters: {
            query?: {
                /** @description How many to return */
                limit?: number;
                /** @description `next_cursor` of the page before; absent for the first page */
                cursor?: string;
            };
            header?: {
                /** @description Id or slug of the workspace that is meant. Without it: the one chosen with PATCH /me, else the only one. A token that is bound to a workspace always means that one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["WorkspaceMember"][];
                        /** @description For the next page; null on the last */
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    readMember: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace that is meant. Without it: the one chosen with PATCH /me, else the only one. A token that is bound to a workspace always means that one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path: {
                /** @description UUIDv7 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkspaceMember"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    removeMember: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace that is meant. Without it: the one chosen with PATCH /me, else the only one. A token that is bound to a workspace always means that one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path: {
                /** @description UUIDv7 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; there is nothing to return */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    changeMember: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace that is meant. Without it: the one chosen with PATCH /me, else the only one. A token that is bound to a workspace always means that one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description ETag of the record as you know it. When it has changed since, nothing is done and the answer is 412. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description UUIDv7 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeMember"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkspaceMember"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["Changed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    publicReadMember: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace that is meant. Without it: the one chosen with PATCH /me, else the only one. A token that is bound to a workspace always means that one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path: {
                /** @description UUIDv7 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkspaceMember"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    listInvitations: {
        parameters: {
            query?: {
                /** @description How many to return */
                limit?: number;
                /** @description `next_cursor` of the page before; absent for the first page */
                cursor?: string;
                /** @description Only a pending one can be accepted */
                state?: "pending" | "accepted" | "revoked" | "expired";
            };
            header?: {
                /** @description Id or slug of the workspace that is meant. Without it: the one chosen with PATCH /me, else the only one. A token that is bound to a workspace always means that one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Invitation"][];
                        /** @description For the next page; null on the last */
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    createInvitation: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace that is meant. Without it: the one chosen with PATCH /me, else the only one. A token that is bound to a workspace always means that one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description Of your own choice, new for every call that is meant anew. The same call again within 24 hours does nothing more, and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewInvitation"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invitation"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["NotJson"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    revokeInvitation: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace that is meant. Without it: the one chosen with PATCH /me, else the only one. A token that is bound to a workspace always means that one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path: {
                /** @description UUIDv7 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; there is nothing to return */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    resendInvitation: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace that is meant. Without it: the one chosen with PATCH /me, else the only one. A token that is bound to a workspace always means that one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description Of your own choice, new for every call that is meant anew. The same call again within 24 hours does nothing more, and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description UUIDv7 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invitation"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["NotJson"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    previewInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description From the mailed link */
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitationPreview"];
                };
            };
            400: components["responses"]["Invalid"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    acceptInvitation: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of your own choice, new for every call that is meant anew. The same call again within 24 hours does nothing more, and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description From the mailed link */
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workspace"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["NotJson"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    listApiTokens: {
        parameters: {
            query?: {
                /** @description How many to return */
                limit?: number;
                /** @description `next_cursor` of the page before; absent for the first page */
                cursor?: string;
            };
            header?: {
                /** @description Id or slug of the workspace that is meant. Without it: the one chosen with PATCH /me, else the only one. A token that is bound to a workspace always means that one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ApiToken"][];
                        /** @description For the next page; null on the last */
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    createApiToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace that is meant. Without it: the one chosen with PATCH /me, else the only one. A token that is bound to a workspace always means that one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description Of your own choice, new for every call that is meant anew. The same call again within 24 hours does nothing more, and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewApiToken"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedApiToken"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["NotJson"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    listApiTokenScopes: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace that is meant. Without it: the one chosen with PATCH /me, else the only one. A token that is bound to a workspace always means that one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ScopeInfo"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    rotateApiToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace that is meant. Without it: the one chosen with PATCH /me, else the only one. A token that is bound to a workspace always means that one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description Of your own choice, new for every call that is meant anew. The same call again within 24 hours does nothing more, and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description UUIDv7 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RotateApiToken"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedApiToken"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["NotJson"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    revokeApiToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace that is meant. Without it: the one chosen with PATCH /me, else the only one. A token that is bound to a workspace always means that one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path: {
                /** @description UUIDv7 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; there is nothing to return */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    publicReadToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OwnToken"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    listAuditLog: {
        parameters: {
            query?: {
                /** @description How many to return */
                limit?: number;
                /** @description `next_cursor` of the page before; absent for the first page */
                cursor?: string;
                /** @description What this user did */
                actor?: string;
                /** @description One action, such as `token.created`, or with `.*` all of a subject, such as `token.*` */
                action?: string;
                /** @description At or after */
                since?: string;
                /** @description Before */
                until?: string;
            };
            header?: {
                /** @description Id or slug of the workspace that is meant. Without it: the one chosen with PATCH /me, else the only one. A token that is bound to a workspace always means that one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AuditEntry"][];
                        /** @description For the next page; null on the last */
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    listInstanceAuditLog: {
        parameters: {
            query?: {
                /** @description How many to return */
                limit?: number;
                /** @description `next_cursor` of the page before; absent for the first page */
                cursor?: string;
                /** @description What this user did */
                actor?: string;
                /** @description One action, such as `token.created`, or with `.*` all of a subject, such as `token.*` */
                action?: string;
                /** @description At or after */
                since?: string;
                /** @description Before */
                until?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AuditEntry"][];
                        /** @description For the next page; null on the last */
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                /** @description How many to return */
                limit?: number;
                /** @description `next_cursor` of the page before; absent for the first page */
                cursor?: string;
            };
            header?: {
                /** @description Id or slug of the workspace that is meant. Without it: the one chosen with PATCH /me, else the only one. A token that is bound to a workspace always means that one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Webhook"][];
                        /** @description For the next page; null on the last */
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace that is meant. Without it: the one chosen with PATCH /me, else the only one. A token that is bound to a workspace always means that one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description Of your own choice, new for every call that is meant anew. The same call again within 24 hours does nothing more, and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewWebhook"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedWebhook"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["NotJson"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    publicListWebhooks: {
        parameters: {
            query?: {
                /** @description How many to return */
                limit?: number;
                /** @description `next_cursor` of the page before; absent for the first page */
                cursor?: string;
            };
            header?: {
                /** @description Id or slug of the workspace that is meant. Without it: the one chosen with PATCH /me, else the only one. A token that is bound to a workspace always means that one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Webhook"][];
                        /** @description For the next page; null on the last */
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    publicCreateWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace that is meant. Without it: the one chosen with PATCH /me, else the only one. A token that is bound to a workspace always means that one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description Of your own choice, new for every call that is meant anew. The same call again within 24 hours does nothing more, and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewWebhook"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedWebhook"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["NotJson"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    listEventTypes: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace that is meant. Without it: the one chosen with PATCH /me, else the only one. A token that is bound to a workspace always means that one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["EventType"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    publicListEventTypes: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace that is meant. Without it: the one chosen with PATCH /me, else the only one. A token that is bound to a workspace always means that one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["EventType"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    readWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace that is meant. Without it: the one chosen with PATCH /me, else the only one. A token that is bound to a workspace always means that one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path: {
                /** @description UUIDv7 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace that is meant. Without it: the one chosen with PATCH /me, else the only one. A token that is bound to a workspace always means that one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path: {
                /** @description UUIDv7 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; there is nothing to return */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    changeWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace that is meant. Without it: the one chosen with PATCH /me, else the only one. A token that is bound to a workspace always means that one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description ETag of the record as you know it. When it has changed since, nothing is done and the answer is 412. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description UUIDv7 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookChanges"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["Changed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    publicReadWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace that is meant. Without it: the one chosen with PATCH /me, else the only one. A token that is bound to a workspace always means that one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path: {
                /** @description UUIDv7 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    publicDeleteWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace that is meant. Without it: the one chosen with PATCH /me, else the only one. A token that is bound to a workspace always means that one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path: {
                /** @description UUIDv7 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; there is nothing to return */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    publicChangeWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace that is meant. Without it: the one chosen with PATCH /me, else the only one. A token that is bound to a workspace always means that one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description ETag of the record as you know it. When it has changed since, nothing is done and the answer is 412. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description UUIDv7 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookChanges"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["Changed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace that is meant. Without it: the one chosen with PATCH /me, else the only one. A token that is bound to a workspace always means that one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description Of your own choice, new for every call that is meant anew. The same call again within 24 hours does nothing more, and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description UUIDv7 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Attempt"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["NotJson"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    publicTestWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace that is meant. Without it: the one chosen with PATCH /me, else the only one. A token that is bound to a workspace always means that one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description Of your own choice, new for every call that is meant anew. The same call again within 24 hours does nothing more, and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description UUIDv7 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Attempt"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["NotJson"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace that is meant. Without it: the one chosen with PATCH /me, else the only one. A token that is bound to a workspace always means that one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description Of your own choice, new for every call that is meant anew. The same call again within 24 hours does nothing more, and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description UUIDv7 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SecretRotation"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedWebhook"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["NotJson"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    listDeliveries: {
        parameters: {
            query?: {
                /** @description How many to return */
                limit?: number;
                /** @description `next_cursor` of the page before; absent for the first page */
                cursor?: string;
                /** @description undelivered: an attempt was made, and it was not delivered: it failed, waits for another, or is held */
                state?: "waiting" | "held" | "failed" | "delivered" | "undelivered";
                /** @description Whether an attempt was made: with `state=waiting`, those that are tried again */
                attempted?: boolean;
                type?: string;
                /** @description UUIDv7 */
                event_id?: string;
                /** @description Of events written at or after */
                since?: string;
                /** @description Of events written before */
                until?: string;
            };
            header?: {
                /** @description Id or slug of the workspace that is meant. Without it: the one chosen with PATCH /me, else the only one. A token that is bound to a workspace always means that one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path: {
                /** @description UUIDv7 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Delivery"][];
                        /** @description For the next page; null on the last */
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    publicListDeliveries: {
        parameters: {
            query?: {
                /** @description How many to return */
                limit?: number;
                /** @description `next_cursor` of the page before; absent for the first page */
                cursor?: string;
                /** @description undelivered: an attempt was made, and it was not delivered: it failed, waits for another, or is held */
                state?: "waiting" | "held" | "failed" | "delivered" | "undelivered";
                /** @description Whether an attempt was made: with `state=waiting`, those that are tried again */
                attempted?: boolean;
                type?: string;
                /** @description UUIDv7 */
                event_id?: string;
                /** @description Of events written at or after */
                since?: string;
                /** @description Of events written before */
                until?: string;
            };
            header?: {
                /** @description Id or slug of the workspace that is meant. Without it: the one chosen with PATCH /me, else the only one. A token that is bound to a workspace always means that one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path: {
                /** @description UUIDv7 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Delivery"][];
                        /** @description For the next page; null on the last */
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    readDelivery: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace that is meant. Without it: the one chosen with PATCH /me, else the only one. A token that is bound to a workspace always means that one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path: {
                /** @description UUIDv7 */
                id: string;
                /** @description UUIDv7 */
                delivery_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryDetail"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    publicReadDelivery: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace that is meant. Without it: the one chosen with PATCH /me, else the only one. A token that is bound to a workspace always means that one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path: {
                /** @description UUIDv7 */
                id: string;
                /** @description UUIDv7 */
                delivery_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryDetail"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    retryDelivery: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace that is meant. Without it: the one chosen with PATCH /me, else the only one. A token that is bound to a workspace always means that one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description Of your own choice, new for every call that is meant anew. The same call again within 24 hours does nothing more, and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description UUIDv7 */
                id: string;
                /** @description UUIDv7 */
                delivery_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Delivery"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["NotJson"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    publicRetryDelivery: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace that is meant. Without it: the one chosen with PATCH /me, else the only one. A token that is bound to a workspace always means that one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description Of your own choice, new for every call that is meant anew. The same call again within 24 hours does nothing more, and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description UUIDv7 */
                id: string;
                /** @description UUIDv7 */
                delivery_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Delivery"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["NotJson"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    recoverWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace that is meant. Without it: the one chosen with PATCH /me, else the only one. A token that is bound to a workspace always means that one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description Of your own choice, new for every call that is meant anew. The same call again within 24 hours does nothing more, and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description UUIDv7 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Recovery"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Recovered"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["NotJson"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    publicRecoverWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace that is meant. Without it: the one chosen with PATCH /me, else the only one. A token that is bound to a workspace always means that one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description Of your own choice, new for every call that is meant anew. The same call again within 24 hours does nothing more, and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description UUIDv7 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Recovery"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Recovered"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["NotJson"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    readWebhookStats: {
        parameters: {
            query?: {
                period?: "24h" | "7d" | "30d";
            };
            header?: {
                /** @description Id or slug of the workspace that is meant. Without it: the one chosen with PATCH /me, else the only one. A token that is bound to a workspace always means that one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path: {
                /** @description UUIDv7 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookStats"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    publicReadWebhookStats: {
        parameters: {
            query?: {
                period?: "24h" | "7d" | "30d";
            };
            header?: {
                /** @description Id or slug of the workspace that is meant. Without it: the one chosen with PATCH /me, else the only one. A token that is bound to a workspace always means that one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path: {
                /** @description UUIDv7 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookStats"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @description How many to return */
                limit?: number;
                /** @description `next_cursor` of the call before */
                cursor?: string;
                /** @description Without a cursor: from when on */
                since?: string;
                type?: string;
            };
            header?: {
                /** @description Id or slug of the workspace that is meant. Without it: the one chosen with PATCH /me, else the only one. A token that is bound to a workspace always means that one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventPage"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    publicListEvents: {
        parameters: {
            query?: {
                /** @description How many to return */
                limit?: number;
                /** @description `next_cursor` of the call before */
                cursor?: string;
                /** @description Without a cursor: from when on */
                since?: string;
                type?: string;
            };
            header?: {
                /** @description Id or slug of the workspace that is meant. Without it: the one chosen with PATCH /me, else the only one. A token that is bound to a workspace always means that one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventPage"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    listOptions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description All of them, by group */
                        data: components["schemas"]["Option"][];
                        next_cursor: null;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    readOption: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Such as `app.name`; of the own key of an AI model `ai-model-<id>_api-key` */
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Option"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    setOption: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the record as you know it. When it has changed since, nothing is done and the answer is 412. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description Such as `app.name`; of the own key of an AI model `ai-model-<id>_api-key` */
                key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OptionValue"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Option"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["Changed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    unsetOption: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Such as `app.name`; of the own key of an AI model `ai-model-<id>_api-key` */
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; there is nothing to return */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    testMail: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of your own choice, new for every call that is meant anew. The same call again within 24 hours does nothing more, and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TestMailInput"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestMail"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["NotJson"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    listOutbox: {
        parameters: {
            query?: {
                /** @description How many to return */
                limit?: number;
                /** @description `next_cursor` of the page before; absent for the first page */
                cursor?: string;
                state?: "kept" | "queued" | "sent" | "failed";
                /** @description Part of address, name, subject or key, in letters of either case */
                search?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Mail"][];
                        /** @description For the next page; null on the last */
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    readOutboxMail: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description UUIDv7 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Mail"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    retryOutboxMail: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of your own choice, new for every call that is meant anew. The same call again within 24 hours does nothing more, and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description UUIDv7 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Mail"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["NotJson"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    listEmailTemplates: {
        parameters: {
            query?: {
                /** @description How many to return */
                limit?: number;
                /** @description `next_cursor` of the page before; absent for the first page */
                cursor?: string;
                /** @description Part of key, locale, subject or description, in letters of either case */
                search?: string;
                key?: string;
                locale?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["EmailTemplate"][];
                        /** @description For the next page; null on the last */
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    createEmailTemplate: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of your own choice, new for every call that is meant anew. The same call again within 24 hours does nothing more, and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewEmailTemplate"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmailTemplate"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["NotJson"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    listEmailTemplateKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["EmailTemplateKey"][];
                        next_cursor: null;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    readEmailTemplate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description UUIDv7 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmailTemplate"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    changeEmailTemplate: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the record as you know it. When it has changed since, nothing is done and the answer is 412. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description UUIDv7 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EmailTemplateChanges"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmailTemplate"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["Changed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    deleteEmailTemplate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description UUIDv7 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; there is nothing to return */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    previewEmailTemplateDraft: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of your own choice, new for every call that is meant anew. The same call again within 24 hours does nothing more, and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EmailTemplateDraft"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmailTemplatePreview"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["NotJson"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    previewEmailTemplate: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of your own choice, new for every call that is meant anew. The same call again within 24 hours does nothing more, and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description UUIDv7 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EmailTemplatePreviewInput"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmailTemplatePreview"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["NotJson"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    sendEmailTemplateTest: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of your own choice, new for every call that is meant anew. The same call again within 24 hours does nothing more, and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description UUIDv7 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EmailTemplateTestInput"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmailTemplateTest"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["NotJson"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    listAiModels: {
        parameters: {
            query?: {
                /** @description How many to return */
                limit?: number;
                /** @description `next_cursor` of the page before; absent for the first page */
                cursor?: string;
                provider?: "openai" | "anthropic" | "google" | "xai" | "mistral" | "ollama" | "custom";
                category?: "text" | "image" | "video";
                is_active?: boolean;
                /** @description Part of the name or of the model key */
                search?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AiModel"][];
                        /** @description For the next page; null on the last */
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    createAiModel: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of your own choice, new for every call that is meant anew. The same call again within 24 hours does nothing more, and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewAiModel"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AiModel"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["NotJson"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    listActiveAiModels: {
        parameters: {
            query?: {
                /** @description How many to return */
                limit?: number;
                /** @description `next_cursor` of the page before; absent for the first page */
                cursor?: string;
                category?: "text" | "image" | "video";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ActiveAiModel"][];
                        /** @description For the next page; null on the last */
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    publicListActiveAiModels: {
        parameters: {
            query?: {
                /** @description How many to return */
                limit?: number;
                /** @description `next_cursor` of the page before; absent for the first page */
                cursor?: string;
                category?: "text" | "image" | "video";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ActiveAiModel"][];
                        /** @description For the next page; null on the last */
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    readAiModel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `id` or `id_secure` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AiModel"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    changeAiModel: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the record as you know it. When it has changed since, nothing is done and the answer is 412. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description `id` or `id_secure` */
                id: string;
            };
            cookie?: never;
        };
        /** @description What is absent stays; `api_params` and `meta` are replaced whole */
        requestBody: {
            content: {
                "application/json": components["schemas"]["AiModelChanges"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AiModel"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["Changed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    deleteAiModel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `id` or `id_secure` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; there is nothing to return */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    setAiModelKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `id` or `id_secure` */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AiModelKey"];
            };
        };
        responses: {
            /** @description Done; there is nothing to return */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    testAiModel: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of your own choice, new for every call that is meant anew. The same call again within 24 hours does nothing more, and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description `id` or `id_secure` */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AiModelTestInput"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AiModelTest"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["NotJson"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    listPublicPlans: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PriceList"];
                };
            };
            400: components["responses"]["Invalid"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    listPlans: {
        parameters: {
            query?: {
                /** @description How many to return */
                limit?: number;
                /** @description `next_cursor` of the page before; absent for the first page */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Plan"][];
                        /** @description For the next page; null on the last */
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    createPlan: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of your own choice, new for every call that is meant anew. The same call again within 24 hours does nothing more, and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewPlan"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Plan"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["NotJson"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    orderPlans: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of your own choice, new for every call that is meant anew. The same call again within 24 hours does nothing more, and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PlanOrder"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Plan"][];
                        /** @description For the next page; null on the last */
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["NotJson"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    readPlan: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                code: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Plan"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    changePlan: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the record as you know it. When it has changed since, nothing is done and the answer is 412. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                code: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PlanChanges"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Plan"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["Changed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    archivePlan: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of your own choice, new for every call that is meant anew. The same call again within 24 hours does nothing more, and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                code: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Plan"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["NotJson"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    readUsage: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace that is meant. Without it: the one chosen with PATCH /me, else the only one. A token that is bound to a workspace always means that one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Usage"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    publicReadUsage: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace that is meant. Without it: the one chosen with PATCH /me, else the only one. A token that is bound to a workspace always means that one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Usage"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    generateText: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace that is meant. Without it: the one chosen with PATCH /me, else the only one. A token that is bound to a workspace always means that one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description Of your own choice, new for every call that is meant anew. The same call again within 24 hours does nothing more, and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TextPrompt"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GeneratedText"];
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["NotJson"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    publicGenerateText: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace that is meant. Without it: the one chosen with PATCH /me, else the only one. A token that is bound to a workspace always means that one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description Of your own choice, new for every call that is meant anew. The same call again within 24 hours does nothing more, and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TextPrompt"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GeneratedText"];
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["NotJson"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    generateImage: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace that is meant. Without it: the one chosen with PATCH /me, else the only one. A token that is bound to a workspace always means that one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description Of your own choice, new for every call that is meant anew. The same call again within 24 hours does nothing more, and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ImagePrompt"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GeneratedImages"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["NotJson"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    publicGenerateImage: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace that is meant. Without it: the one chosen with PATCH /me, else the only one. A token that is bound to a workspace always means that one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description Of your own choice, new for every call that is meant anew. The same call again within 24 hours does nothing more, and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ImagePrompt"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GeneratedImages"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["NotJson"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    generateVideo: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace that is meant. Without it: the one chosen with PATCH /me, else the only one. A token that is bound to a workspace always means that one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description Of your own choice, new for every call that is meant anew. The same call again within 24 hours does nothing more, and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VideoPrompt"];
            };
        };
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Generation"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["NotJson"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    publicGenerateVideo: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace that is meant. Without it: the one chosen with PATCH /me, else the only one. A token that is bound to a workspace always means that one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description Of your own choice, new for every call that is meant anew. The same call again within 24 hours does nothing more, and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VideoPrompt"];
            };
        };
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Generation"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["NotJson"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    listGenerations: {
        parameters: {
            query?: {
                /** @description How many to return */
                limit?: number;
                /** @description `next_cursor` of the page before; absent for the first page */
                cursor?: string;
                kind?: "text" | "image" | "video";
                state?: "running" | "succeeded" | "failed" | "canceled";
            };
            header?: {
                /** @description Id or slug of the workspace that is meant. Without it: the one chosen with PATCH /me, else the only one. A token that is bound to a workspace always means that one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Generation"][];
                        /** @description For the next page; null on the last */
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    publicListGenerations: {
        parameters: {
            query?: {
                /** @description How many to return */
                limit?: number;
                /** @description `next_cursor` of the page before; absent for the first page */
                cursor?: string;
                kind?: "text" | "image" | "video";
                state?: "running" | "succeeded" | "failed" | "canceled";
            };
            header?: {
                /** @description Id or slug of the workspace that is meant. Without it: the one chosen with PATCH /me, else the only one. A token that is bound to a workspace always means that one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Generation"][];
                        /** @description For the next page; null on the last */
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    readGeneration: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace that is meant. Without it: the one chosen with PATCH /me, else the only one. A token that is bound to a workspace always means that one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path: {
                /** @description UUIDv7 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Generation"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    publicReadGeneration: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace that is meant. Without it: the one chosen with PATCH /me, else the only one. A token that is bound to a workspace always means that one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path: {
                /** @description UUIDv7 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Generation"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    cancelGeneration: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace that is meant. Without it: the one chosen with PATCH /me, else the only one. A token that is bound to a workspace always means that one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description Of your own choice, new for every call that is meant anew. The same call again within 24 hours does nothing more, and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description UUIDv7 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Generation"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["NotJson"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    publicCancelGeneration: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace that is meant. Without it: the one chosen with PATCH /me, else the only one. A token that is bound to a workspace always means that one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description Of your own choice, new for every call that is meant anew. The same call again within 24 hours does nothing more, and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description UUIDv7 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Generation"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["NotJson"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    readGeneratedFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description UUIDv7 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "image/*": string;
                    "video/*": string;
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    publicReadGeneratedFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description UUIDv7 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    [name: string]: unknown;
                };
                content: {
                    "image/*": string;
                    "video/*": string;
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    listNetworks: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace that is meant. Without it: the one chosen with PATCH /me, else the only one. A token that is bound to a workspace always means that one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Network"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    publicListNetworks: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace that is meant. Without it: the one chosen with PATCH /me, else the only one. A token that is bound to a workspace always means that one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Network"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    listAccounts: {
        parameters: {
            query?: {
                /** @description How many to return */
                limit?: number;
                /** @description `next_cursor` of the page before; absent for the first page */
                cursor?: string;
            };
            header?: {
                /** @description Id or slug of the workspace that is meant. Without it: the one chosen with PATCH /me, else the only one. A token that is bound to a workspace always means that one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Account"][];
                        /** @description For the next page; null on the last */
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    connectAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace that is meant. Without it: the one chosen with PATCH /me, else the only one. A token that is bound to a workspace always means that one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description Of your own choice, new for every call that is meant anew. The same call again within 24 hours does nothing more, and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description Besides these, the fields of the form of the network (GET /accounts/networks). */
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewAccount"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Account"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["NotJson"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    publicListAccounts: {
        parameters: {
            query?: {
                /** @description How many to return */
                limit?: number;
                /** @description `next_cursor` of the page before; absent for the first page */
                cursor?: string;
            };
            header?: {
                /** @description Id or slug of the workspace that is meant. Without it: the one chosen with PATCH /me, else the only one. A token that is bound to a workspace always means that one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Account"][];
                        /** @description For the next page; null on the last */
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    publicConnectAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace that is meant. Without it: the one chosen with PATCH /me, else the only one. A token that is bound to a workspace always means that one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description Of your own choice, new for every call that is meant anew. The same call again within 24 hours does nothing more, and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description Besides these, the fields of the form of the network (GET /accounts/networks). */
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewAccount"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Account"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["NotJson"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    readAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace that is meant. Without it: the one chosen with PATCH /me, else the only one. A token that is bound to a workspace always means that one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path: {
                /** @description UUIDv7 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Account"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    disconnectAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace that is meant. Without it: the one chosen with PATCH /me, else the only one. A token that is bound to a workspace always means that one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path: {
                /** @description UUIDv7 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; there is nothing to return */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    publicReadAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace that is meant. Without it: the one chosen with PATCH /me, else the only one. A token that is bound to a workspace always means that one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path: {
                /** @description UUIDv7 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Account"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    publicDisconnectAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace that is meant. Without it: the one chosen with PATCH /me, else the only one. A token that is bound to a workspace always means that one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path: {
                /** @description UUIDv7 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; there is nothing to return */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    checkAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace that is meant. Without it: the one chosen with PATCH /me, else the only one. A token that is bound to a workspace always means that one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description Of your own choice, new for every call that is meant anew. The same call again within 24 hours does nothing more, and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description UUIDv7 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Account"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["NotJson"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    publicCheckAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace that is meant. Without it: the one chosen with PATCH /me, else the only one. A token that is bound to a workspace always means that one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description Of your own choice, new for every call that is meant anew. The same call again within 24 hours does nothing more, and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description UUIDv7 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Account"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["NotJson"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    listPlayground: {
        parameters: {
            query?: {
                /** @description How many to return */
                limit?: number;
                /** @description `next_cursor` of the page before; absent for the first page */
                cursor?: string;
            };
            header?: {
                /** @description Id or slug of the workspace that is meant. Without it: the one chosen with PATCH /me, else the only one. A token that is bound to a workspace always means that one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["PlaygroundPost"][];
                        /** @description For the next page; null on the last */
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    publicListPlayground: {
        parameters: {
            query?: {
                /** @description How many to return */
                limit?: number;
                /** @description `next_cursor` of the page before; absent for the first page */
                cursor?: string;
            };
            header?: {
                /** @description Id or slug of the workspace that is meant. Without it: the one chosen with PATCH /me, else the only one. A token that is bound to a workspace always means that one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["PlaygroundPost"][];
                        /** @description For the next page; null on the last */
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    readPlaygroundPost: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace that is meant. Without it: the one chosen with PATCH /me, else the only one. A token that is bound to a workspace always means that one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path: {
                /** @description UUIDv7 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlaygroundPost"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    publicReadPlaygroundPost: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace that is meant. Without it: the one chosen with PATCH /me, else the only one. A token that is bound to a workspace always means that one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path: {
                /** @description UUIDv7 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlaygroundPost"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    listPosts: {
        parameters: {
            query?: {
                /** @description How many to return */
                limit?: number;
                /** @description `next_cursor` of the page before; absent for the first page */
                cursor?: string;
                status?: "draft" | "scheduled" | "publishing" | "published" | "partially_published" | "failed";
                /** @description UUIDv7 */
                account_id?: string;
                /** @description Scheduled at or after */
                from?: string;
                /** @description Scheduled before */
                to?: string;
                /** @description Changed at or after, the states of targets included; what was deleted is in GET /posts/deleted. A change is seen a moment after its time: who asks again and again lets the spans overlap by some seconds. */
                updated_since?: string;
                /** @description Part of the text, in letters of either case; I, İ, ı and i are one letter. Texts are searched up to their first 5,000 characters. */
                search?: string;
            };
            header?: {
                /** @description Id or slug of the workspace that is meant. Without it: the one chosen with PATCH /me, else the only one. A token that is bound to a workspace always means that one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Post"][];
                        /** @description For the next page; null on the last */
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    createPost: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace that is meant. Without it: the one chosen with PATCH /me, else the only one. A token that is bound to a workspace always means that one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description Of your own choice, new for every call that is meant anew. The same call again within 24 hours does nothing more, and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewPost"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Post"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["NotJson"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    publicListPosts: {
        parameters: {
            query?: {
                /** @description How many to return */
                limit?: number;
                /** @description `next_cursor` of the page before; absent for the first page */
                cursor?: string;
                status?: "draft" | "scheduled" | "publishing" | "published" | "partially_published" | "failed";
                /** @description UUIDv7 */
                account_id?: string;
                /** @description Scheduled at or after */
                from?: string;
                /** @description Scheduled before */
                to?: string;
                /** @description Changed at or after, the states of targets included; what was deleted is in GET /posts/deleted. A change is seen a moment after its time: who asks again and again lets the spans overlap by some seconds. */
                updated_since?: string;
                /** @description Part of the text, in letters of either case; I, İ, ı and i are one letter. Texts are searched up to their first 5,000 characters. */
                search?: string;
            };
            header?: {
                /** @description Id or slug of the workspace that is meant. Without it: the one chosen with PATCH /me, else the only one. A token that is bound to a workspace always means that one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Post"][];
                        /** @description For the next page; null on the last */
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    publicCreatePost: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace that is meant. Without it: the one chosen with PATCH /me, else the only one. A token that is bound to a workspace always means that one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description Of your own choice, new for every call that is meant anew. The same call again within 24 hours does nothing more, and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewPost"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Post"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["NotJson"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    listDeletedPosts: {
        parameters: {
            query?: {
                /** @description How many to return */
                limit?: number;
                /** @description `next_cursor` of the page before; absent for the first page */
                cursor?: string;
                /** @description Deleted at or after; absent: all that can still be restored. Who asks again and again lets the spans overlap by some seconds. */
                since?: string;
            };
            header?: {
                /** @description Id or slug of the workspace that is meant. Without it: the one chosen with PATCH /me, else the only one. A token that is bound to a workspace always means that one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["DeletedPost"][];
                        /** @description For the next page; null on the last */
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    publicListDeletedPosts: {
        parameters: {
            query?: {
                /** @description How many to return */
                limit?: number;
                /** @description `next_cursor` of the page before; absent for the first page */
                cursor?: string;
                /** @description Deleted at or after; absent: all that can still be restored. Who asks again and again lets the spans overlap by some seconds. */
                since?: string;
            };
            header?: {
                /** @description Id or slug of the workspace that is meant. Without it: the one chosen with PATCH /me, else the only one. A token that is bound to a workspace always means that one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["DeletedPost"][];
                        /** @description For the next page; null on the last */
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    readPost: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace that is meant. Without it: the one chosen with PATCH /me, else the only one. A token that is bound to a workspace always means that one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path: {
                /** @description UUIDv7 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Post"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    deletePost: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace that is meant. Without it: the one chosen with PATCH /me, else the only one. A token that is bound to a workspace always means that one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path: {
                /** @description UUIDv7 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; there is nothing to return */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    changePost: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace that is meant. Without it: the one chosen with PATCH /me, else the only one. A token that is bound to a workspace always means that one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description ETag of the record as you know it. When it has changed since, nothing is done and the answer is 412. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description UUIDv7 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangePost"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Post"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["Changed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    publicReadPost: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace that is meant. Without it: the one chosen with PATCH /me, else the only one. A token that is bound to a workspace always means that one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path: {
                /** @description UUIDv7 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Post"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    publicDeletePost: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace that is meant. Without it: the one chosen with PATCH /me, else the only one. A token that is bound to a workspace always means that one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path: {
                /** @description UUIDv7 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; there is nothing to return */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    publicChangePost: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace that is meant. Without it: the one chosen with PATCH /me, else the only one. A token that is bound to a workspace always means that one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description ETag of the record as you know it. When it has changed since, nothing is done and the answer is 412. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description UUIDv7 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangePost"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Post"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["Changed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    restorePost: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace that is meant. Without it: the one chosen with PATCH /me, else the only one. A token that is bound to a workspace always means that one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description Of your own choice, new for every call that is meant anew. The same call again within 24 hours does nothing more, and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description UUIDv7 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Post"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["NotJson"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    publicRestorePost: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace that is meant. Without it: the one chosen with PATCH /me, else the only one. A token that is bound to a workspace always means that one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description Of your own choice, new for every call that is meant anew. The same call again within 24 hours does nothing more, and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description UUIDv7 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Post"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["NotJson"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    publishPost: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace that is meant. Without it: the one chosen with PATCH /me, else the only one. A token that is bound to a workspace always means that one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description Of your own choice, new for every call that is meant anew. The same call again within 24 hours does nothing more, and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description UUIDv7 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Post"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["NotJson"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    publicPublishPost: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace that is meant. Without it: the one chosen with PATCH /me, else the only one. A token that is bound to a workspace always means that one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description Of your own choice, new for every call that is meant anew. The same call again within 24 hours does nothing more, and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description UUIDv7 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Post"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["NotJson"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    retryPost: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace that is meant. Without it: the one chosen with PATCH /me, else the only one. A token that is bound to a workspace always means that one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description Of your own choice, new for every call that is meant anew. The same call again within 24 hours does nothing more, and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description UUIDv7 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Post"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["NotJson"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    publicRetryPost: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace that is meant. Without it: the one chosen with PATCH /me, else the only one. A token that is bound to a workspace always means that one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description Of your own choice, new for every call that is meant anew. The same call again within 24 hours does nothing more, and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description UUIDv7 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Post"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["NotJson"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
}
