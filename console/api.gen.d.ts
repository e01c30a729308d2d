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
         * Sign up
         * @description Creates a user and sends a six-digit code to the e-mail address, valid for 10 minutes. The response is the same for an address that already has a user.
         *
         *     Requires no authentication.
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
         * Send a new verification code
         * @description Sends a new six-digit code, valid for 10 minutes, to an unverified address. The response is the same for every address.
         *
         *     Requires no authentication.
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
         * Verify an e-mail address
         * @description Verifies the address with the code sent by e-mail.
         *
         *     Requires no authentication.
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
         * @description Opens a session and sets its cookie. For a user with two-factor sign-in, the response has `two_factor_required` instead, and the cookie holds the challenge for the second step.
         *
         *     Requires no authentication.
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
         * Complete sign-in with an authenticator code
         * @description Each sign-in allows five attempts. If the problem has `state: ended`, start again with the password.
         *
         *     Requires no authentication.
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
         * Complete sign-in with a backup code
         * @description Each backup code works once. Each sign-in allows five attempts.
         *
         *     Requires no authentication.
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
         * @description Ends the session and clears its cookie.
         *
         *     Requires no authentication.
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
         * Request a password reset
         * @description Sends a link, valid for 60 minutes, to choose a new password. The response is the same for an address without a user.
         *
         *     Requires no authentication.
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
         * Reset a password
         * @description Sets a new password with the token from the link. Ends all sessions of the user.
         *
         *     Requires no authentication.
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
         * Retrieve your profile
         * @description Requires a signed-in user. API tokens without scopes are accepted.
         */
        get: operations["readMe"];
        put?: never;
        post?: never;
        /**
         * Delete your user account
         * @description Deletes your user account permanently. Refused while you are the only owner of a workspace or the only instance admin.
         *
         *     Requires a signed-in user. API tokens are not accepted.
         */
        delete: operations["deleteMe"];
        options?: never;
        head?: never;
        /**
         * Update your profile
         * @description Updates your name, language, time zone, chosen workspace or e-mails.
         *
         *     Requires a signed-in user. API tokens are not accepted.
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
         * Export your data
         * @description Returns everything that Meydan stores about you as one JSON document.
         *
         *     Requires a signed-in user. API tokens are not accepted.
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
         * Change your password
         * @description Changes your password and ends all other sessions.
         *
         *     Requires a signed-in user. API tokens are not accepted.
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
         * Retrieve your e-mail address and its pending change
         * @description Requires a signed-in user. API tokens are not accepted.
         */
        get: operations["readEmail"];
        put?: never;
        /**
         * Request an e-mail address change
         * @description Sends a code to your current address and to the new one. Both are required to confirm the change. A new request replaces the previous one.
         *
         *     Requires a signed-in user. API tokens are not accepted.
         */
        post: operations["requestEmailChange"];
        /**
         * Cancel the pending e-mail address change
         * @description Requires a signed-in user. API tokens are not accepted.
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
         * Confirm an e-mail address change
         * @description Changes your address and ends all other sessions. Each request allows five attempts.
         *
         *     Requires a signed-in user. API tokens are not accepted.
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
         * @description Creates a secret for an authenticator app. Two-factor sign-in is on once a code from the app confirms it. Until then each call creates a new secret.
         *
         *     Requires a signed-in user. API tokens are not accepted.
         */
        post: operations["setUpTwoFactor"];
        /**
         * Turn off two-factor sign-in
         * @description Requires a signed-in user. API tokens are not accepted.
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
         * Turn on two-factor sign-in
         * @description Turns on two-factor sign-in with a code from the authenticator app.
         *
         *     Requires a signed-in user. API tokens are not accepted.
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
         * Replace your backup codes
         * @description Creates new backup codes. The previous ones stop working.
         *
         *     Requires a signed-in user. API tokens are not accepted.
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
         * List your sessions
         * @description Returns the sessions in which you are signed in, newest first.
         *
         *     Requires a signed-in user. API tokens are not accepted.
         */
        get: operations["listSessions"];
        put?: never;
        post?: never;
        /**
         * End all other sessions
         * @description Requires a signed-in user. API tokens are not accepted.
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
         * End a session
         * @description Requires a signed-in user. API tokens are not accepted.
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
         * List users
         * @description Returns the users of this instance, newest first.
         *
         *     Requires an instance admin. API tokens are not accepted.
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
         * Ban a user
         * @description Ends all sessions of the user and refuses their sign-ins and API tokens. Banning a banned user changes nothing. You cannot ban yourself.
         *
         *     Requires an instance admin. API tokens are not accepted.
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
         * Unban a user
         * @description Lifts the ban. Sessions ended by the ban stay ended.
         *
         *     Requires an instance admin. API tokens are not accepted.
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
         * Retrieve the sign-in settings of this instance
         * @description Returns the settings that sign-in pages need before anyone is signed in.
         *
         *     Requires no authentication.
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
         * Create the first instance admin
         * @description Works once, with the code from the setup link that the first start prints.
         *
         *     Requires no authentication.
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
         * List your workspaces
         * @description Requires a signed-in user. API tokens without scopes are accepted.
         */
        get: operations["listWorkspaces"];
        put?: never;
        /**
         * Create a workspace
         * @description Creates a workspace with you as its owner. You can own at most 100 workspaces.
         *
         *     Requires a signed-in user. API tokens without scopes that are not bound to a workspace are accepted.
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
         * Retrieve the current workspace
         * @description Requires membership in the workspace. API tokens without scopes are accepted.
         */
        get: operations["readWorkspace"];
        put?: never;
        post?: never;
        /**
         * Delete the current workspace
         * @description Hides the workspace immediately and erases it after 30 days. Until then its owners can restore it. Scheduled posts become drafts.
         *
         *     Requires the role `owner`. API tokens are not accepted.
         */
        delete: operations["deleteWorkspace"];
        options?: never;
        head?: never;
        /**
         * Update the current workspace
         * @description Requires the role `admin` or higher. API tokens without scopes are accepted.
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
         * Retrieve the current workspace
         * @description Requires an API token with the scope `workspace:read`.
         */
        get: operations["publicReadWorkspace"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update the current workspace
         * @description Requires an API token with the scope `workspace:write`. The owner of the token needs the role `admin` or higher.
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
         * List deleted workspaces
         * @description Returns the deleted workspaces that you own and can restore.
         *
         *     Requires a signed-in user. API tokens are not accepted.
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
         * @description Restores a workspace that was deleted in the last 30 days. Only its owners can restore it.
         *
         *     Requires a signed-in user. API tokens are not accepted.
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
         * Retrieve the onboarding checklist
         * @description Returns the first steps that were completed in the current workspace.
         *
         *     Requires membership in the workspace. API tokens without scopes are accepted.
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
         * Dismiss the onboarding checklist
         * @description Hides the checklist for you only.
         *
         *     Requires membership in the workspace. API tokens are not accepted.
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
         * List members
         * @description Returns the members of the current workspace.
         *
         *     Requires membership in the workspace. API tokens without scopes are accepted.
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
         * List members
         * @description Returns the members of the current workspace.
         *
         *     Requires an API token with the scope `members:read`.
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
         * Retrieve a member
         * @description Requires membership in the workspace. API tokens without scopes are accepted.
         */
        get: operations["readMember"];
        put?: never;
        post?: never;
        /**
         * Remove a member or leave the workspace
         * @description Every member can leave, except the last owner. Admins can remove other members, and only owners can remove owners. The removed member's tokens that are bound to this workspace are revoked.
         *
         *     Requires membership in the workspace. API tokens are not accepted.
         */
        delete: operations["removeMember"];
        options?: never;
        head?: never;
        /**
         * Update a member's role
         * @description Only owners can make a member an owner or change the role of an owner. The last owner of a workspace keeps the role.
         *
         *     Requires the role `admin` or higher. API tokens are not accepted.
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
         * Retrieve a member
         * @description Requires an API token with the scope `members:read`.
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
         * List invitations
         * @description Returns the invitations to the current workspace, newest first.
         *
         *     Requires the role `admin` or higher. API tokens are not accepted.
         */
        get: operations["listInvitations"];
        put?: never;
        /**
         * Create an invitation
         * @description Sends a link by e-mail that is valid for 7 days and works once, for that address only. The response includes the link. It is shown only once. Only owners can invite owners. A workspace can send at most 100 invitations a day. One mailbox receives at most 5 a day from a workspace, 10 from a sender and 30 in all; addresses that differ in a `+tag` are one mailbox. An invitation is revoked when its sender may no longer invite.
         *
         *     Requires the role `admin` or higher. API tokens are not accepted.
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
         * Revoke an invitation
         * @description Invalidates the link. Revoking a revoked invitation changes nothing.
         *
         *     Requires the role `admin` or higher. API tokens are not accepted.
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
         * Resend an invitation
         * @description Sends a new link by e-mail, valid for another 7 days. The previous link stops working. The response includes the new link. It is shown only once.
         *
         *     Requires the role `admin` or higher. API tokens are not accepted.
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
         * Retrieve an invitation by its link
         * @description Returns the workspace, role and state of the invitation with this token.
         *
         *     Requires no authentication.
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
         * Accept an invitation
         * @description Makes you a member of the workspace. Your verified e-mail address must be the invited one.
         *
         *     Requires a signed-in user. API tokens are not accepted.
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
         * List API tokens
         * @description Returns your tokens, including revoked ones. Admins also see the tokens of other members that are bound to this workspace.
         *
         *     Requires membership in the workspace. API tokens without scopes are accepted.
         */
        get: operations["listApiTokens"];
        put?: never;
        /**
         * Create an API token
         * @description The response includes the token. It is shown only once: if you lose it, revoke it and create another. You can have at most 200 tokens.
         *
         *     Requires membership in the workspace. API tokens are not accepted.
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
         * List token scopes
         * @description Returns every scope with the role required to grant it.
         *
         *     Requires membership in the workspace. API tokens without scopes are accepted.
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
         * Rotate an API token
         * @description Replaces the secret of your token. The response includes the new token. It is shown only once. The previous secret works until the overlap ends. Rotating again before that invalidates it immediately.
         *
         *     Requires membership in the workspace. API tokens are not accepted.
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
         * Revoke an API token
         * @description Revokes the token immediately and permanently.
         *
         *     Requires membership in the workspace. API tokens are not accepted.
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
         * Retrieve the token of this call
         * @description Requires an API token with at least one scope.
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
         * List audit log entries of the workspace
         * @description Returns the changes made in the workspace, newest first.
         *
         *     Requires the role `admin` or higher. API tokens without scopes are accepted. The plan of the workspace must include `audit_log`.
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
         * List audit log entries of the instance
         * @description Returns the changes made outside workspaces, including sign-ins, newest first.
         *
         *     Requires an instance admin. API tokens are not accepted.
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
         * @description Returns the webhooks of the workspace, newest first.
         *
         *     Requires membership in the workspace. API tokens without scopes are accepted.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Create a webhook
         * @description The response includes the signing secret. It is shown only once. A workspace can have at most 50 webhooks. A token with scopes needs `billing:read` as well to subscribe to events of billing, or to all events with `*`.
         *
         *     Requires the role `admin` or higher. API tokens without scopes are accepted.
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
         * @description Returns the webhooks of the workspace, newest first.
         *
         *     Requires an API token with the scope `webhooks:read`.
         */
        get: operations["publicListWebhooks"];
        put?: never;
        /**
         * Create a webhook
         * @description The response includes the signing secret. It is shown only once. A workspace can have at most 50 webhooks. A token with scopes needs `billing:read` as well to subscribe to events of billing, or to all events with `*`.
         *
         *     Requires an API token with the scope `webhooks:write`. The owner of the token needs the role `admin` or higher.
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
         * List event types
         * @description Returns every event type with the JSON Schema of its data and an example payload.
         *
         *     Requires membership in the workspace. API tokens without scopes are accepted.
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
         * List event types
         * @description Returns every event type with the JSON Schema of its data and an example payload.
         *
         *     Requires an API token with the scope `webhooks:read`.
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
         * Retrieve a webhook
         * @description Requires membership in the workspace. API tokens without scopes are accepted.
         */
        get: operations["readWebhook"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook
         * @description Deletes the webhook. Its pending deliveries are not sent.
         *
         *     Requires the role `admin` or higher. API tokens without scopes are accepted.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Update a webhook
         * @description Set `active` to disable or enable the webhook. Enabling resets its failures. It does not send the deliveries held while the webhook was disabled: send them with `POST /webhooks/{id}/recover`. If the webhook has custom headers and `url` changes to another origin, `headers` is required; send `{}` to remove them. A token with scopes needs `billing:read` as well to change `url` or `events` of a webhook that receives events of billing afterwards.
         *
         *     Requires the role `admin` or higher. API tokens without scopes are accepted.
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
         * Retrieve a webhook
         * @description Requires an API token with the scope `webhooks:read`.
         */
        get: operations["publicReadWebhook"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook
         * @description Deletes the webhook. Its pending deliveries are not sent.
         *
         *     Requires an API token with the scope `webhooks:write`. The owner of the token needs the role `admin` or higher.
         */
        delete: operations["publicDeleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Update a webhook
         * @description Set `active` to disable or enable the webhook. Enabling resets its failures. It does not send the deliveries held while the webhook was disabled: send them with `POST /webhooks/{id}/recover`. If the webhook has custom headers and `url` changes to another origin, `headers` is required; send `{}` to remove them. A token with scopes needs `billing:read` as well to change `url` or `events` of a webhook that receives events of billing afterwards.
         *
         *     Requires an API token with the scope `webhooks:write`. The owner of the token needs the role `admin` or higher.
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
         * Send a test event
         * @description Sends a `webhook.test` event immediately and returns the attempt. Works for a disabled webhook too. The attempt counts neither as a success nor as a failure of the webhook.
         *
         *     Requires the role `admin` or higher. API tokens without scopes are accepted.
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
         * Send a test event
         * @description Sends a `webhook.test` event immediately and returns the attempt. Works for a disabled webhook too. The attempt counts neither as a success nor as a failure of the webhook.
         *
         *     Requires an API token with the scope `webhooks:write`. The owner of the token needs the role `admin` or higher.
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
         * Rotate a webhook's secret
         * @description Creates a new signing secret. The response includes it. It is shown only once. Until the overlap ends, `X-Service-Signature` is made with the previous secret, `X-Service-Signature-Next` with the new one, and `webhook-signature` contains both.
         *
         *     Requires the role `admin` or higher. API tokens are not accepted.
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
         * List deliveries of a webhook
         * @description Returns the deliveries of the last 30 days, newest first. One call looks through a limited number of records: with several filters, a page may have fewer records than `limit`, or none, while `next_cursor` leads to more.
         *
         *     Requires membership in the workspace. API tokens without scopes are accepted.
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
         * List deliveries of a webhook
         * @description Returns the deliveries of the last 30 days, newest first. One call looks through a limited number of records: with several filters, a page may have fewer records than `limit`, or none, while `next_cursor` leads to more.
         *
         *     Requires an API token with the scope `webhooks:read`.
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
         * Retrieve a delivery
         * @description Returns the delivery with its body and its latest 50 attempts. Events of billing require the role admin, and `billing:read` of a token with scopes.
         *
         *     Requires membership in the workspace. API tokens without scopes are accepted.
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
         * Retrieve a delivery
         * @description Returns the delivery with its body and its latest 50 attempts. Events of billing require the role admin, and `billing:read` of a token with scopes.
         *
         *     Requires an API token with the scope `webhooks:read`.
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
         * Retry a delivery
         * @description Sends the delivery immediately. A waiting delivery keeps its remaining attempts. A failed, held or already delivered one gets one attempt. A delivery can have at most 1,000 attempts.
         *
         *     Requires the role `admin` or higher. API tokens without scopes are accepted.
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
         * Retry a delivery
         * @description Sends the delivery immediately. A waiting delivery keeps its remaining attempts. A failed, held or already delivered one gets one attempt. A delivery can have at most 1,000 attempts.
         *
         *     Requires an API token with the scope `webhooks:write`. The owner of the token needs the role `admin` or higher.
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
         * Recover held and failed deliveries
         * @description Queues the deliveries that are held or ran out of attempts, of events created since a time at most 30 days ago. Each delivery gets the full retry schedule again. The webhook must be enabled.
         *
         *     Requires the role `admin` or higher. API tokens without scopes are accepted.
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
         * Recover held and failed deliveries
         * @description Queues the deliveries that are held or ran out of attempts, of events created since a time at most 30 days ago. Each delivery gets the full retry schedule again. The webhook must be enabled.
         *
         *     Requires an API token with the scope `webhooks:write`. The owner of the token needs the role `admin` or higher.
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
         * Retrieve delivery statistics of a webhook
         * @description Returns the number of attempts in a period and the number of deliveries that are waiting, held or failed now.
         *
         *     Requires membership in the workspace. API tokens without scopes are accepted.
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
         * Retrieve delivery statistics of a webhook
         * @description Returns the number of attempts in a period and the number of deliveries that are waiting, held or failed now.
         *
         *     Requires an API token with the scope `webhooks:read`.
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
         * List events
         * @description For clients that cannot receive webhooks. Returns the events of the last 30 days, oldest first. Store `next_cursor` and pass it to the next call; events that commit late are not skipped. Events of billing are returned to admins, and to tokens with scopes that have `billing:read`.
         *
         *     Requires membership in the workspace. API tokens without scopes are accepted.
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
         * List events
         * @description For clients that cannot receive webhooks. Returns the events of the last 30 days, oldest first. Store `next_cursor` and pass it to the next call; events that commit late are not skipped. Events of billing are returned to admins, and to tokens with scopes that have `billing:read`.
         *
         *     Requires an API token with the scope `webhooks:read`.
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
         * List options
         * @description Returns all options on one page. The API key of an AI model is listed only if it is set.
         *
         *     Requires an instance admin. API tokens are not accepted.
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
         * Retrieve an option
         * @description Requires an instance admin. API tokens are not accepted.
         */
        get: operations["readOption"];
        /**
         * Override an option
         * @description Takes effect on every node within a second.
         *
         *     Requires an instance admin. API tokens are not accepted.
         */
        put: operations["setOption"];
        post?: never;
        /**
         * Reset an option
         * @description Removes the override, so that the value comes from the environment or the default again. Resetting an option without an override changes nothing.
         *
         *     Requires an instance admin. API tokens are not accepted.
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
         * Send a test e-mail
         * @description Sends one e-mail with the current options, without retries and without the outbox. If the mail server rejects it or does not respond within 15 seconds, the response has `ok: false` and the reason. At most 5 tests a minute.
         *
         *     Requires an instance admin. API tokens are not accepted.
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
         * List e-mails in the outbox
         * @description Returns the e-mails that Meydan wrote in the last 90 days, newest first.
         *
         *     Requires an instance admin. API tokens are not accepted.
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
         * Retrieve an e-mail
         * @description Requires an instance admin. API tokens are not accepted.
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
         * Retry an e-mail
         * @description Queues an e-mail that failed or was kept, with the full retry schedule. Without a mail server the response is 409 and nothing changes.
         *
         *     Requires an instance admin. API tokens are not accepted.
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
         * List e-mail templates
         * @description Returns the stored templates. The built-in texts, which are used where no template is stored, are in `GET /email-templates/keys`.
         *
         *     Requires an instance admin. API tokens are not accepted.
         */
        get: operations["listEmailTemplates"];
        put?: never;
        /**
         * Create an e-mail template
         * @description Creates the text of one e-mail in one language. Placeholders have the form `{{name}}`. Unknown variables, any other syntax in double braces, and placeholders where a value could act as code (in a tag, an unquoted attribute, a style, a script or a comment) are refused.
         *
         *     Requires an instance admin. API tokens are not accepted.
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
         * List e-mail keys
         * @description Returns every e-mail that Meydan sends, with its variables and built-in texts.
         *
         *     Requires an instance admin. API tokens are not accepted.
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
         * Retrieve an e-mail template
         * @description Requires an instance admin. API tokens are not accepted.
         */
        get: operations["readEmailTemplate"];
        /**
         * Update an e-mail template
         * @description Omitted fields do not change. E-mails in the outbox keep their text.
         *
         *     Requires an instance admin. API tokens are not accepted.
         */
        put: operations["changeEmailTemplate"];
        post?: never;
        /**
         * Delete an e-mail template
         * @description The next matching template is used instead, and finally the built-in text.
         *
         *     Requires an instance admin. API tokens are not accepted.
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
         * Preview an unsaved e-mail template
         * @description Renders a template without saving it.
         *
         *     Requires an instance admin. API tokens are not accepted.
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
         * Preview an e-mail template
         * @description Renders a stored template with sample values.
         *
         *     Requires an instance admin. API tokens are not accepted.
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
         * Send a test e-mail from a template
         * @description Sends the template with sample values through the outbox. At most 5 tests a minute.
         *
         *     Requires an instance admin. API tokens are not accepted.
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
         * List AI models
         * @description Returns all models, newest first.
         *
         *     Requires an instance admin. API tokens are not accepted.
         */
        get: operations["listAiModels"];
        put?: never;
        /**
         * Create an AI model
         * @description Set the API key of the model with `PUT /ai-models/{id}/api-key`.
         *
         *     Requires an instance admin. API tokens are not accepted.
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
         * List active AI models
         * @description Returns the models that can be used to generate, newest first.
         *
         *     Requires a signed-in user. API tokens without scopes are accepted.
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
         * List active AI models
         * @description Returns the models that can be used to generate, newest first.
         *
         *     Requires an API token with the scope `ai:read`.
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
         * Retrieve an AI model
         * @description Requires an instance admin. API tokens are not accepted.
         */
        get: operations["readAiModel"];
        /**
         * Update an AI model
         * @description Requires an instance admin. API tokens are not accepted.
         */
        put: operations["changeAiModel"];
        post?: never;
        /**
         * Delete an AI model
         * @description Deletes the model and its API key.
         *
         *     Requires an instance admin. API tokens are not accepted.
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
         * Set or remove the API key of an AI model
         * @description A model without an API key is called with the global key of its provider, if that is the default provider.
         *
         *     Requires an instance admin. API tokens are not accepted.
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
         * Test an AI model
         * @description Calls the provider once, without retries: a short text, the smallest image, or for video only a check of the API key. If the provider rejects the call or does not respond, the response has `ok: false` and the reason. At most 5 tests a minute.
         *
         *     Requires an instance admin. API tokens are not accepted.
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
         * List public plans
         * @description Returns the plans on the price list, by position. With `If-None-Match` the response is 304 if nothing has changed.
         *
         *     Requires no authentication.
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
         * List plans
         * @description Returns all plans by position, including archived ones.
         *
         *     Requires an instance admin. API tokens are not accepted.
         */
        get: operations["listPlans"];
        put?: never;
        /**
         * Create a plan
         * @description Requires an instance admin. API tokens are not accepted.
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
         * Reorder plans
         * @description Sets the position of every plan by the order of their codes.
         *
         *     Requires an instance admin. API tokens are not accepted.
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
         * Retrieve a plan
         * @description Requires an instance admin. API tokens are not accepted.
         */
        get: operations["readPlan"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update a plan
         * @description Applies immediately to every workspace on the plan. A workspace above a lowered limit keeps what it has and cannot add more. `prices`, `limits` and `metadata` are replaced as a whole.
         *
         *     Requires an instance admin. API tokens are not accepted.
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
         * @description Archived plans are not available to new workspaces; workspaces on the plan keep it. The plan in the option `billing.default_plan` cannot be archived.
         *
         *     Requires an instance admin. API tokens are not accepted.
         */
        post: operations["archivePlan"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/billing/invoices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List invoices
         * @description Returns invoices and credit notes, newest first.
         *
         *     Requires the role `admin` or higher. API tokens without scopes are accepted.
         */
        get: operations["listInvoices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/public/billing/invoices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List invoices
         * @description Returns invoices and credit notes, newest first.
         *
         *     Requires an API token with the scope `billing:read`. The owner of the token needs the role `admin` or higher.
         */
        get: operations["publicListInvoices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/billing/invoices/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve an invoice
         * @description Requires the role `admin` or higher. API tokens without scopes are accepted.
         */
        get: operations["readInvoice"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/public/billing/invoices/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve an invoice
         * @description Requires an API token with the scope `billing:read`. The owner of the token needs the role `admin` or higher.
         */
        get: operations["publicReadInvoice"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/billing/invoices/{id}/pdf": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download an invoice as PDF
         * @description The document is in the language that the workspace had when it was issued. Opens an invoice of any workspace in which you are owner or admin, so `X-Workspace-Id` is not needed.
         *
         *     Requires a signed-in user. API tokens without scopes are accepted.
         */
        get: operations["downloadInvoice"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/public/billing/invoices/{id}/pdf": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download an invoice as PDF
         * @description The document is in the language that the workspace had when it was issued. Opens an invoice of any workspace in which you are owner or admin, so `X-Workspace-Id` is not needed.
         *
         *     Requires an API token with the scope `billing:read`.
         */
        get: operations["publicDownloadInvoice"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/billing/invoices/{id}/html": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Open an invoice as a page
         * @description The page can be printed, and has the content of the PDF. Opens an invoice of any workspace in which you are owner or admin, so `X-Workspace-Id` is not needed.
         *
         *     Requires a signed-in user. API tokens without scopes are accepted.
         */
        get: operations["readInvoicePage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/public/billing/invoices/{id}/html": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Open an invoice as a page
         * @description The page can be printed, and has the content of the PDF. Opens an invoice of any workspace in which you are owner or admin, so `X-Workspace-Id` is not needed.
         *
         *     Requires an API token with the scope `billing:read`.
         */
        get: operations["publicReadInvoicePage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/invoices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List invoices of all workspaces
         * @description Returns invoices and credit notes, newest first.
         *
         *     Requires an instance admin. API tokens are not accepted.
         */
        get: operations["listAllInvoices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/invoices/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export invoices
         * @description Returns the invoices and credit notes of all workspaces as CSV in UTF-8, by number: those of a month, or all.
         *
         *     Requires an instance admin. API tokens are not accepted.
         */
        get: operations["exportInvoices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/invoices/{id}/pdf": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download an invoice of any workspace as PDF
         * @description Requires an instance admin. API tokens are not accepted.
         */
        get: operations["downloadAnyInvoice"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/invoices/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Store the official number of an invoice
         * @description Stores the ETTN and the number of the e-Fatura or e-Arşiv document that was issued for it. The document shows them. Null removes one.
         *
         *     Requires an instance admin. API tokens are not accepted.
         */
        patch: operations["setOfficialNumber"];
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
         * Retrieve the usage of the current workspace
         * @description Returns the plan of the workspace and its usage of each limit.
         *
         *     Requires membership in the workspace. API tokens without scopes are accepted.
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
         * Retrieve the usage of the current workspace
         * @description Returns the plan of the workspace and its usage of each limit.
         *
         *     Requires an API token with the scope `workspace:read`.
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
    "/api/v1/billing/checkout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve the terms of a checkout
         * @description Shows how a new subscription is paid, before one is started.
         *
         *     Requires the role `admin` or higher. API tokens without scopes are accepted.
         */
        get: operations["readCheckoutTerms"];
        put?: never;
        /**
         * Start a checkout
         * @description Starts a checkout of a subscription with the provider of the option `billing.provider`. The same request while a checkout is open returns that one with 200. Another plan closes it. The price of the checkout is the price that is charged, even if the plan changes before it is paid.
         *
         *     Requires the role `admin` or higher. API tokens without scopes are accepted.
         */
        post: operations["startCheckout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/public/billing/checkout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve the terms of a checkout
         * @description Shows how a new subscription is paid, before one is started.
         *
         *     Requires an API token with the scope `billing:read`. The owner of the token needs the role `admin` or higher.
         */
        get: operations["publicReadCheckoutTerms"];
        put?: never;
        /**
         * Start a checkout
         * @description Starts a checkout of a subscription with the provider of the option `billing.provider`. The same request while a checkout is open returns that one with 200. Another plan closes it. The price of the checkout is the price that is charged, even if the plan changes before it is paid.
         *
         *     Requires an API token with the scope `billing:write`. The owner of the token needs the role `admin` or higher.
         */
        post: operations["publicStartCheckout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/billing/checkouts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve a checkout
         * @description Shows the state of a checkout, as the page does to which the payer returns.
         *
         *     Requires the role `admin` or higher. API tokens without scopes are accepted.
         */
        get: operations["readCheckout"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/public/billing/checkouts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve a checkout
         * @description Shows the state of a checkout, as the page does to which the payer returns.
         *
         *     Requires an API token with the scope `billing:read`. The owner of the token needs the role `admin` or higher.
         */
        get: operations["publicReadCheckout"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/billing/checkouts/{id}/open": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Open a checkout to pay it
         * @description Asks the provider for the page to pay at, for a checkout that Meydan created by itself, such as a renewal. If a former page has closed, the response is a new checkout with another id.
         *
         *     Requires the role `admin` or higher. API tokens without scopes are accepted.
         */
        post: operations["openCheckout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/public/billing/checkouts/{id}/open": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Open a checkout to pay it
         * @description Asks the provider for the page to pay at, for a checkout that Meydan created by itself, such as a renewal. If a former page has closed, the response is a new checkout with another id.
         *
         *     Requires an API token with the scope `billing:write`. The owner of the token needs the role `admin` or higher.
         */
        post: operations["publicOpenCheckout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/billing/subscription": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve the subscription
         * @description Returns the subscription in force, or the last one.
         *
         *     Requires membership in the workspace. API tokens without scopes are accepted.
         */
        get: operations["readSubscription"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/public/billing/subscription": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve the subscription
         * @description Returns the subscription in force, or the last one.
         *
         *     Requires an API token with the scope `billing:read`.
         */
        get: operations["publicReadSubscription"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/billing/cancel-subscription": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel the subscription
         * @description The subscription stays in force until the end of its period. A `past_due` one ends at once, and what was open need not be paid. Canceling twice changes nothing.
         *
         *     Requires the role `admin` or higher. API tokens without scopes are accepted.
         */
        post: operations["cancelSubscription"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/public/billing/cancel-subscription": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel the subscription
         * @description The subscription stays in force until the end of its period. A `past_due` one ends at once, and what was open need not be paid. Canceling twice changes nothing.
         *
         *     Requires an API token with the scope `billing:write`. The owner of the token needs the role `admin` or higher.
         */
        post: operations["publicCancelSubscription"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/billing/resume-subscription": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resume the subscription
         * @description Takes a cancellation back before the end of the period.
         *
         *     Requires the role `admin` or higher. API tokens without scopes are accepted.
         */
        post: operations["resumeSubscription"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/public/billing/resume-subscription": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resume the subscription
         * @description Takes a cancellation back before the end of the period.
         *
         *     Requires an API token with the scope `billing:write`. The owner of the token needs the role `admin` or higher.
         */
        post: operations["publicResumeSubscription"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/billing/change-plan": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Preview a change of the plan
         * @description Shows what a change of the plan would charge now and later. To charge exactly that, send the amounts as `shown`. At most 30 calls a minute, together with those of the payment method.
         *
         *     Requires the role `admin` or higher. API tokens without scopes are accepted.
         */
        get: operations["previewPlanChange"];
        put?: never;
        /**
         * Change the plan
         * @description A larger plan, or a yearly period instead of a monthly one, applies now: what is left of the present one is credited. A smaller plan applies from the next period. The present plan takes a waiting change back. If a payment is needed first, `checkout` has it.
         *
         *     Requires the role `admin` or higher. API tokens without scopes are accepted.
         */
        post: operations["changeSubscriptionPlan"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/public/billing/change-plan": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Preview a change of the plan
         * @description Shows what a change of the plan would charge now and later. To charge exactly that, send the amounts as `shown`. At most 30 calls a minute, together with those of the payment method.
         *
         *     Requires an API token with the scope `billing:read`. The owner of the token needs the role `admin` or higher.
         */
        get: operations["publicPreviewPlanChange"];
        put?: never;
        /**
         * Change the plan
         * @description A larger plan, or a yearly period instead of a monthly one, applies now: what is left of the present one is credited. A smaller plan applies from the next period. The present plan takes a waiting change back. If a payment is needed first, `checkout` has it.
         *
         *     Requires an API token with the scope `billing:write`. The owner of the token needs the role `admin` or higher.
         */
        post: operations["publicChangeSubscriptionPlan"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/billing/payment-method": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve the payment method
         * @description Returns the payment method of the subscription as the provider shows it, with an address to change it. 404 if the provider keeps none. At most 30 calls a minute, together with previews of a change of the plan.
         *
         *     Requires the role `admin` or higher. API tokens without scopes are accepted.
         */
        get: operations["readPaymentMethod"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/public/billing/payment-method": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve the payment method
         * @description Returns the payment method of the subscription as the provider shows it, with an address to change it. 404 if the provider keeps none. At most 30 calls a minute, together with previews of a change of the plan.
         *
         *     Requires an API token with the scope `billing:read`. The owner of the token needs the role `admin` or higher.
         */
        get: operations["publicReadPaymentMethod"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/payment-requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List payment requests
         * @description Returns the newest first.
         *
         *     Requires an instance admin. API tokens are not accepted.
         */
        get: operations["listPaymentRequests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/payment-requests/{id}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve a payment request
         * @description Confirms that the money arrived: the subscription begins or is renewed. Approving again changes nothing.
         *
         *     Requires an instance admin. API tokens are not accepted.
         */
        post: operations["approvePaymentRequest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/payment-requests/{id}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reject a payment request
         * @description Requires an instance admin. API tokens are not accepted.
         */
        post: operations["rejectPaymentRequest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/subscriptions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List subscriptions
         * @description Returns the subscriptions of all workspaces, the newest first.
         *
         *     Requires an instance admin. API tokens are not accepted.
         */
        get: operations["listSubscriptions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/subscriptions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve a subscription of any workspace
         * @description Requires an instance admin. API tokens are not accepted.
         */
        get: operations["readSubscriptionForAdmin"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/subscriptions/{id}/extend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Extend a subscription
         * @description Adds days to the current period, without a payment. A past due subscription becomes active.
         *
         *     Requires an instance admin. API tokens are not accepted.
         */
        post: operations["extendSubscription"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/subscriptions/{id}/expire": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End a subscription now
         * @description Ends it here and at its provider, without a refund.
         *
         *     Requires an instance admin. API tokens are not accepted.
         */
        post: operations["expireSubscription"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/billing/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve figures about billing
         * @description Requires an instance admin. API tokens are not accepted.
         */
        get: operations["readBillingOverview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/invoices/{id}/refund": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Refund an invoice
         * @description Refunds a paid invoice, wholly or in part, through its provider. A credit note follows when the refund succeeded. A payment by hand counts as paid back.
         *
         *     Requires an instance admin. API tokens are not accepted.
         */
        post: operations["refundInvoice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/options/test/billing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Test the payment provider
         * @description Calls the provider of the option `billing.provider` once, without a payment. If an option is missing, or the provider rejects the call or does not respond, the response has `ok: false` and the reason. At most 5 tests a minute.
         *
         *     Requires an instance admin. API tokens are not accepted.
         */
        post: operations["testBilling"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/ledger/accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the accounts of the ledger
         * @description Returns the newest first, each with its balance.
         *
         *     Requires an instance admin. API tokens are not accepted.
         */
        get: operations["listLedgerAccounts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/ledger/transactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the transactions of the ledger
         * @description Returns the newest first, each with its entries.
         *
         *     Requires an instance admin. API tokens are not accepted.
         */
        get: operations["listLedgerTransactions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/ledger/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check that the ledger adds up
         * @description Reads the whole ledger: every transaction sums to zero, every balance equals its entries, and the money at each provider equals the payments minus the refunds.
         *
         *     Requires an instance admin. API tokens are not accepted.
         */
        get: operations["checkLedger"];
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
         * Generate a text
         * @description Costs 1 AI credit. With `Accept: text/event-stream` the text is streamed: events `delta` {text}, then `done` with the other fields of the response, or `error` {code, detail, retry_after_s}. A stream cannot be replayed and does not accept an `Idempotency-Key`. If the client disconnects, the generation is canceled, unless the call has an `Idempotency-Key`. The credit is returned if the generation fails or is canceled before its first `delta`.
         *
         *     Requires the role `author` or higher. API tokens without scopes are accepted.
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
         * Generate a text
         * @description Costs 1 AI credit. With `Accept: text/event-stream` the text is streamed: events `delta` {text}, then `done` with the other fields of the response, or `error` {code, detail, retry_after_s}. A stream cannot be replayed and does not accept an `Idempotency-Key`. If the client disconnects, the generation is canceled, unless the call has an `Idempotency-Key`. The credit is returned if the generation fails or is canceled before its first `delta`.
         *
         *     Requires an API token with the scope `ai:write`. The owner of the token needs the role `author` or higher.
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
         * Generate images
         * @description Costs 5 AI credits per generated image. The call can take two minutes. The files are kept for 7 days.
         *
         *     Requires the role `author` or higher. API tokens without scopes are accepted.
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
         * Generate images
         * @description Costs 5 AI credits per generated image. The call can take two minutes. The files are kept for 7 days.
         *
         *     Requires an API token with the scope `ai:write`. The owner of the token needs the role `author` or higher.
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
         * Generate a video
         * @description Starts the generation of a video, which takes minutes. `GET /ai/generations/{id}` returns its progress. Costs 20 AI credits, which are returned if the generation fails or is canceled.
         *
         *     Requires the role `author` or higher. API tokens without scopes are accepted.
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
         * Generate a video
         * @description Starts the generation of a video, which takes minutes. `GET /ai/generations/{id}` returns its progress. Costs 20 AI credits, which are returned if the generation fails or is canceled.
         *
         *     Requires an API token with the scope `ai:write`. The owner of the token needs the role `author` or higher.
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
         * List generations
         * @description Returns running and ended generations of the last 90 days, newest first.
         *
         *     Requires membership in the workspace. API tokens without scopes are accepted.
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
         * List generations
         * @description Returns running and ended generations of the last 90 days, newest first.
         *
         *     Requires an API token with the scope `ai:read`.
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
         * Retrieve a generation
         * @description Requires membership in the workspace. API tokens without scopes are accepted.
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
         * Retrieve a generation
         * @description Requires an API token with the scope `ai:read`.
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
         * Cancel a generation
         * @description Stops a running generation and returns its credits, except for a streamed text whose first `delta` was sent. Canceling a canceled generation changes nothing.
         *
         *     Requires the role `author` or higher. API tokens without scopes are accepted.
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
         * Cancel a generation
         * @description Stops a running generation and returns its credits, except for a streamed text whose first `delta` was sent. Canceling a canceled generation changes nothing.
         *
         *     Requires an API token with the scope `ai:write`. The owner of the token needs the role `author` or higher.
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
         * Download a generated file
         * @description Returns a generated image or video of any workspace that you belong to. `X-Workspace-Id` is not needed. Files are kept for 7 days.
         *
         *     Requires a signed-in user. API tokens without scopes are accepted.
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
         * Download a generated file
         * @description Returns a generated image or video of any workspace that you belong to. `X-Workspace-Id` is not needed. Files are kept for 7 days.
         *
         *     Requires an API token with the scope `ai:read`.
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
    "/api/v1/media/uploads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin a resumable upload
         * @description Begins an upload by the [tus protocol](https://tus.io/protocols/resumable-upload) 1.0.0, which can be continued after an interruption. Send `Tus-Resumable: 1.0.0`, the size in `Upload-Length`, and in `Upload-Metadata` any of `filename`, `name`, `alt` and `labels` (separated by commas). `Location` of the response is the address of the upload, and `Upload-Expires` the time until which it must be complete. The body may have the first bytes.
         *
         *     Requires the role `author` or higher. API tokens without scopes are accepted.
         */
        post: operations["beginUpload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/public/media/uploads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin a resumable upload
         * @description Begins an upload by the [tus protocol](https://tus.io/protocols/resumable-upload) 1.0.0, which can be continued after an interruption. Send `Tus-Resumable: 1.0.0`, the size in `Upload-Length`, and in `Upload-Metadata` any of `filename`, `name`, `alt` and `labels` (separated by commas). `Location` of the response is the address of the upload, and `Upload-Expires` the time until which it must be complete. The body may have the first bytes.
         *
         *     Requires an API token with the scope `media:write`. The owner of the token needs the role `author` or higher.
         */
        post: operations["publicBeginUpload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/media/uploads/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve a resumable upload
         * @description Returns how many bytes have arrived. `HEAD` returns the same in `Upload-Offset` and `Upload-Length`. Only the user who began an upload can see it.
         *
         *     Requires the role `author` or higher. API tokens without scopes are accepted.
         */
        get: operations["readUpload"];
        put?: never;
        post?: never;
        /**
         * Cancel a resumable upload
         * @description Erases what has arrived. The file of a complete upload stays.
         *
         *     Requires the role `author` or higher. API tokens without scopes are accepted.
         */
        delete: operations["cancelUpload"];
        options?: never;
        head?: never;
        /**
         * Continue a resumable upload
         * @description Appends bytes at `Upload-Offset`. The response to the last ones has the id of the file in `Upload-Media-Id`; `GET /media/{id}` returns its record.
         *
         *     Requires the role `author` or higher. API tokens without scopes are accepted.
         */
        patch: operations["continueUpload"];
        trace?: never;
    };
    "/api/v1/public/media/uploads/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve a resumable upload
         * @description Returns how many bytes have arrived. `HEAD` returns the same in `Upload-Offset` and `Upload-Length`. Only the user who began an upload can see it.
         *
         *     Requires an API token with the scope `media:write`. The owner of the token needs the role `author` or higher.
         */
        get: operations["publicReadUpload"];
        put?: never;
        post?: never;
        /**
         * Cancel a resumable upload
         * @description Erases what has arrived. The file of a complete upload stays.
         *
         *     Requires an API token with the scope `media:write`. The owner of the token needs the role `author` or higher.
         */
        delete: operations["publicCancelUpload"];
        options?: never;
        head?: never;
        /**
         * Continue a resumable upload
         * @description Appends bytes at `Upload-Offset`. The response to the last ones has the id of the file in `Upload-Media-Id`; `GET /media/{id}` returns its record.
         *
         *     Requires an API token with the scope `media:write`. The owner of the token needs the role `author` or higher.
         */
        patch: operations["publicContinueUpload"];
        trace?: never;
    };
    "/api/v1/media": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List files
         * @description Returns the files of the workspace, newest first. One call looks through a limited number of records: with several filters, a page may have fewer records than `limit`, or none, while `next_cursor` leads to more.
         *
         *     Requires membership in the workspace. API tokens without scopes are accepted.
         */
        get: operations["listMedia"];
        put?: never;
        /**
         * Upload a file
         * @description Send one file as `multipart/form-data`; repeat the field `labels` for several labels. Its type is taken from its content. Images may have up to 30 MB, videos 2 GB and documents 100 MB. A workspace keeps every file once: uploading the same bytes again returns the existing record with status 200, restored if it was deleted. An interrupted upload can therefore be repeated without an `Idempotency-Key`.
         *
         *     Requires the role `author` or higher. API tokens without scopes are accepted.
         */
        post: operations["uploadMedia"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/public/media": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List files
         * @description Returns the files of the workspace, newest first. One call looks through a limited number of records: with several filters, a page may have fewer records than `limit`, or none, while `next_cursor` leads to more.
         *
         *     Requires an API token with the scope `media:read`.
         */
        get: operations["publicListMedia"];
        put?: never;
        /**
         * Upload a file
         * @description Send one file as `multipart/form-data`; repeat the field `labels` for several labels. Its type is taken from its content. Images may have up to 30 MB, videos 2 GB and documents 100 MB. A workspace keeps every file once: uploading the same bytes again returns the existing record with status 200, restored if it was deleted. An interrupted upload can therefore be repeated without an `Idempotency-Key`.
         *
         *     Requires an API token with the scope `media:write`. The owner of the token needs the role `author` or higher.
         */
        post: operations["publicUploadMedia"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/media/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import a file from an address
         * @description Fetches a file from the public internet and keeps it like an upload, within five minutes. Redirects are not followed.
         *
         *     Requires the role `author` or higher. API tokens without scopes are accepted.
         */
        post: operations["importMedia"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/public/media/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import a file from an address
         * @description Fetches a file from the public internet and keeps it like an upload, within five minutes. Redirects are not followed.
         *
         *     Requires an API token with the scope `media:write`. The owner of the token needs the role `author` or higher.
         */
        post: operations["publicImportMedia"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/media/deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List deleted files
         * @description Returns the files that were deleted in the last 24 hours and can be restored.
         *
         *     Requires membership in the workspace. API tokens without scopes are accepted.
         */
        get: operations["listDeletedMedia"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/public/media/deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List deleted files
         * @description Returns the files that were deleted in the last 24 hours and can be restored.
         *
         *     Requires an API token with the scope `media:read`.
         */
        get: operations["publicListDeletedMedia"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/media/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve a file
         * @description Returns the record of a file. Its content is at `url`.
         *
         *     Requires membership in the workspace. API tokens without scopes are accepted.
         */
        get: operations["readMedia"];
        put?: never;
        post?: never;
        /**
         * Delete a file
         * @description Deletes a file that no post and no gig uses. It can be restored for 24 hours and counts as stored until it is erased. With `permanent` it is erased at once.
         *
         *     Requires the role `author` or higher. API tokens without scopes are accepted.
         */
        delete: operations["deleteMedia"];
        options?: never;
        head?: never;
        /**
         * Update a file
         * @description Changes the alternative text, the name or the labels. Authors can change only the files that they uploaded.
         *
         *     Requires the role `author` or higher. API tokens without scopes are accepted.
         */
        patch: operations["changeMedia"];
        trace?: never;
    };
    "/api/v1/public/media/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve a file
         * @description Returns the record of a file. Its content is at `url`.
         *
         *     Requires an API token with the scope `media:read`.
         */
        get: operations["publicReadMedia"];
        put?: never;
        post?: never;
        /**
         * Delete a file
         * @description Deletes a file that no post and no gig uses. It can be restored for 24 hours and counts as stored until it is erased. With `permanent` it is erased at once.
         *
         *     Requires an API token with the scope `media:write`. The owner of the token needs the role `author` or higher.
         */
        delete: operations["publicDeleteMedia"];
        options?: never;
        head?: never;
        /**
         * Update a file
         * @description Changes the alternative text, the name or the labels. Authors can change only the files that they uploaded.
         *
         *     Requires an API token with the scope `media:write`. The owner of the token needs the role `author` or higher.
         */
        patch: operations["publicChangeMedia"];
        trace?: never;
    };
    "/api/v1/media/{id}/crop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Crop an image
         * @description Keeps a part of an image as a new file, with the same name, alternative text and labels. The image itself stays as it is. The same part again returns the existing record with status 200.
         *
         *     Requires the role `author` or higher. API tokens without scopes are accepted.
         */
        post: operations["cropMedia"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/public/media/{id}/crop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Crop an image
         * @description Keeps a part of an image as a new file, with the same name, alternative text and labels. The image itself stays as it is. The same part again returns the existing record with status 200.
         *
         *     Requires an API token with the scope `media:write`. The owner of the token needs the role `author` or higher.
         */
        post: operations["publicCropMedia"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/media/{id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore a deleted file
         * @description Restores a file deleted in the last 24 hours.
         *
         *     Requires the role `author` or higher. API tokens without scopes are accepted.
         */
        post: operations["restoreMedia"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/public/media/{id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore a deleted file
         * @description Restores a file deleted in the last 24 hours.
         *
         *     Requires an API token with the scope `media:write`. The owner of the token needs the role `author` or higher.
         */
        post: operations["publicRestoreMedia"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/media/{id}/uses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the posts and gigs that use a file
         * @description Requires membership in the workspace. API tokens without scopes are accepted.
         */
        get: operations["listMediaUses"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/public/media/{id}/uses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the posts and gigs that use a file
         * @description Requires an API token with the scope `media:read`.
         */
        get: operations["publicListMediaUses"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/media/{id}/file": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a file
         * @description Supports `Range` and `If-None-Match`. Returns a file of any workspace that you belong to, so `X-Workspace-Id` is not needed.
         *
         *     Requires a signed-in user. API tokens without scopes are accepted.
         */
        get: operations["downloadMedia"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/public/media/{id}/file": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a file
         * @description Supports `Range` and `If-None-Match`. Returns a file of any workspace that you belong to, so `X-Workspace-Id` is not needed.
         *
         *     Requires an API token with the scope `media:read`.
         */
        get: operations["publicDownloadMedia"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/media/{id}/thumbnail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the thumbnail of a file
         * @description A WebP picture of at most 400 by 400 pixels. Supports `Range` and `If-None-Match`. Returns a file of any workspace that you belong to, so `X-Workspace-Id` is not needed.
         *
         *     Requires a signed-in user. API tokens without scopes are accepted.
         */
        get: operations["downloadMediaThumbnail"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/public/media/{id}/thumbnail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the thumbnail of a file
         * @description A WebP picture of at most 400 by 400 pixels. Supports `Range` and `If-None-Match`. Returns a file of any workspace that you belong to, so `X-Workspace-Id` is not needed.
         *
         *     Requires an API token with the scope `media:read`.
         */
        get: operations["publicDownloadMediaThumbnail"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/media/signed/{grant}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a file by a signed address
         * @description Networks that fetch files get such addresses. An address leads to one file, needs no credentials, and expires.
         *
         *     Requires no authentication.
         */
        get: operations["downloadSignedMedia"];
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
         * List accounts
         * @description Returns the connected accounts of the workspace, newest first.
         *
         *     Requires membership in the workspace. API tokens without scopes are accepted.
         */
        get: operations["listAccounts"];
        put?: never;
        /**
         * Connect an account
         * @description Checks the credentials with the network and connects the account.
         *
         *     Requires the role `editor` or higher. API tokens without scopes are accepted.
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
         * List accounts
         * @description Returns the connected accounts of the workspace, newest first.
         *
         *     Requires an API token with the scope `accounts:read`.
         */
        get: operations["publicListAccounts"];
        put?: never;
        /**
         * Connect an account
         * @description Checks the credentials with the network and connects the account.
         *
         *     Requires an API token with the scope `accounts:write`. The owner of the token needs the role `editor` or higher.
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
         * Retrieve an account
         * @description Requires membership in the workspace. API tokens without scopes are accepted.
         */
        get: operations["readAccount"];
        put?: never;
        post?: never;
        /**
         * Disconnect an account
         * @description Disconnects the account and erases its credentials.
         *
         *     Requires the role `editor` or higher. API tokens without scopes are accepted.
         */
        delete: operations["disconnectAccount"];
        options?: never;
        head?: never;
        /**
         * Change an account
         * @description Renames the account in Meydan, and pauses or resumes it. A paused account publishes nothing, and still counts as connected. To choose which accounts publish within a smaller plan, pause one and resume another.
         *
         *     Requires the role `editor` or higher. API tokens without scopes are accepted.
         */
        patch: operations["changeAccount"];
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
         * Retrieve an account
         * @description Requires an API token with the scope `accounts:read`.
         */
        get: operations["publicReadAccount"];
        put?: never;
        post?: never;
        /**
         * Disconnect an account
         * @description Disconnects the account and erases its credentials.
         *
         *     Requires an API token with the scope `accounts:write`. The owner of the token needs the role `editor` or higher.
         */
        delete: operations["publicDisconnectAccount"];
        options?: never;
        head?: never;
        /**
         * Change an account
         * @description Renames the account in Meydan, and pauses or resumes it. A paused account publishes nothing, and still counts as connected. To choose which accounts publish within a smaller plan, pause one and resume another.
         *
         *     Requires an API token with the scope `accounts:write`. The owner of the token needs the role `editor` or higher.
         */
        patch: operations["publicChangeAccount"];
        trace?: never;
    };
    "/api/v1/accounts/{id}/avatar": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download an account's picture
         * @description A WebP picture of at most 400 by 400 pixels. Returns that of an account of any workspace that you belong to, so `X-Workspace-Id` is not needed.
         *
         *     Requires a signed-in user. API tokens without scopes are accepted.
         */
        get: operations["downloadAccountAvatar"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/public/accounts/{id}/avatar": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download an account's picture
         * @description A WebP picture of at most 400 by 400 pixels. Returns that of an account of any workspace that you belong to, so `X-Workspace-Id` is not needed.
         *
         *     Requires an API token with the scope `accounts:read`.
         */
        get: operations["publicDownloadAccountAvatar"];
        put?: never;
        post?: never;
        delete?: never;
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
         * Check an account's credentials
         * @description Asks the network whether it still accepts the credentials and updates `status` and `checked_at`. Posts that failed while the account was disconnected are not retried automatically. If the network cannot be reached, the account does not change and the response is `account_unreachable`.
         *
         *     Requires the role `editor` or higher. API tokens without scopes are accepted.
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
         * Check an account's credentials
         * @description Asks the network whether it still accepts the credentials and updates `status` and `checked_at`. Posts that failed while the account was disconnected are not retried automatically. If the network cannot be reached, the account does not change and the response is `account_unreachable`.
         *
         *     Requires an API token with the scope `accounts:write`. The owner of the token needs the role `editor` or higher.
         */
        post: operations["publicCheckAccount"];
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
         * List networks
         * @description Returns the networks: how to connect an account, the limits of a post, and what its preview needs.
         *
         *     Requires membership in the workspace. API tokens without scopes are accepted.
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
         * List networks
         * @description Returns the networks: how to connect an account, the limits of a post, and what its preview needs.
         *
         *     Requires an API token with the scope `accounts:read`.
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
    "/api/v1/playground": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List posts on the Playground
         * @description Returns the timeline of the Playground, newest first.
         *
         *     Requires membership in the workspace. API tokens without scopes are accepted.
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
         * List posts on the Playground
         * @description Returns the timeline of the Playground, newest first.
         *
         *     Requires an API token with the scope `posts:read`.
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
         * Retrieve a post on the Playground
         * @description Requires membership in the workspace. API tokens without scopes are accepted.
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
         * Retrieve a post on the Playground
         * @description Requires an API token with the scope `posts:read`.
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
         * List posts
         * @description Returns the posts of the workspace, newest first; with `from` or `to`, in the order of `scheduled_at`, and with `updated_since`, in the order of `updated_at`. One call looks through a limited number of records: with several filters, a page may have fewer records than `limit`, or none, while `next_cursor` leads to more.
         *
         *     Requires membership in the workspace. API tokens without scopes are accepted.
         */
        get: operations["listPosts"];
        put?: never;
        /**
         * Create a post
         * @description Creates a draft, or a post that is scheduled or published immediately.
         *
         *     Requires the role `author` or higher. API tokens without scopes are accepted.
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
         * List posts
         * @description Returns the posts of the workspace, newest first; with `from` or `to`, in the order of `scheduled_at`, and with `updated_since`, in the order of `updated_at`. One call looks through a limited number of records: with several filters, a page may have fewer records than `limit`, or none, while `next_cursor` leads to more.
         *
         *     Requires an API token with the scope `posts:read`.
         */
        get: operations["publicListPosts"];
        put?: never;
        /**
         * Create a post
         * @description Creates a draft, or a post that is scheduled or published immediately.
         *
         *     Requires an API token with the scope `posts:write`. The owner of the token needs the role `author` or higher.
         */
        post: operations["publicCreatePost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/posts/summaries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List posts in short
         * @description Returns what a calendar shows of the posts, in the order of `GET /posts`, up to 1,000 in a call. One call looks through a limited number of records: with several filters, a page may have fewer records than `limit`, or none, while `next_cursor` leads to more.
         *
         *     Requires membership in the workspace. API tokens without scopes are accepted.
         */
        get: operations["listPostSummaries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/public/posts/summaries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List posts in short
         * @description Returns what a calendar shows of the posts, in the order of `GET /posts`, up to 1,000 in a call. One call looks through a limited number of records: with several filters, a page may have fewer records than `limit`, or none, while `next_cursor` leads to more.
         *
         *     Requires an API token with the scope `posts:read`.
         */
        get: operations["publicListPostSummaries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/posts/validate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Validate a post
         * @description Takes the body of `POST /posts`, keeps nothing, and returns everything that prevents the post from being scheduled, with the length of each text as each network counts it.
         *
         *     Requires the role `author` or higher. API tokens without scopes are accepted.
         */
        post: operations["validatePost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/public/posts/validate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Validate a post
         * @description Takes the body of `POST /posts`, keeps nothing, and returns everything that prevents the post from being scheduled, with the length of each text as each network counts it.
         *
         *     Requires an API token with the scope `posts:write`. The owner of the token needs the role `author` or higher.
         */
        post: operations["publicValidatePost"];
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
         * List deleted posts
         * @description Returns the posts that were deleted in the last 24 hours and can be restored. Use it to keep a copy of the posts in sync. A post deleted more than 24 hours ago is erased and no longer listed. Restoring a post sets its `updated_at`, so `GET /posts` returns it again.
         *
         *     Requires membership in the workspace. API tokens without scopes are accepted.
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
         * List deleted posts
         * @description Returns the posts that were deleted in the last 24 hours and can be restored. Use it to keep a copy of the posts in sync. A post deleted more than 24 hours ago is erased and no longer listed. Restoring a post sets its `updated_at`, so `GET /posts` returns it again.
         *
         *     Requires an API token with the scope `posts:read`.
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
    "/api/v1/posts/counts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count posts that need attention
         * @description Requires membership in the workspace. API tokens without scopes are accepted.
         */
        get: operations["countPosts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/public/posts/counts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count posts that need attention
         * @description Requires an API token with the scope `posts:read`.
         */
        get: operations["publicCountPosts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/posts/link-preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Preview a link
         * @description Reads how a page describes itself, as networks show the first link of a post without files. Meydan calls the page, and keeps the result for five minutes.
         *
         *     Requires the role `author` or higher. API tokens without scopes are accepted.
         */
        get: operations["previewLink"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/public/posts/link-preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Preview a link
         * @description Reads how a page describes itself, as networks show the first link of a post without files. Meydan calls the page, and keeps the result for five minutes.
         *
         *     Requires an API token with the scope `posts:write`. The owner of the token needs the role `author` or higher.
         */
        get: operations["publicPreviewLink"];
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
         * Retrieve a post
         * @description Requires membership in the workspace. API tokens without scopes are accepted.
         */
        get: operations["readPost"];
        put?: never;
        post?: never;
        /**
         * Delete a post
         * @description Deletes the post from Meydan. What was published stays on the networks. The post can be restored for 24 hours and is then erased. A post that is being published cannot be deleted.
         *
         *     Requires the role `author` or higher. API tokens without scopes are accepted.
         */
        delete: operations["deletePost"];
        options?: never;
        head?: never;
        /**
         * Update a post
         * @description Updates a draft, scheduled or failed post. Set `scheduled_at` to null to turn it into a draft. Authors can update only their own posts.
         *
         *     Requires the role `author` or higher. API tokens without scopes are accepted.
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
         * Retrieve a post
         * @description Requires an API token with the scope `posts:read`.
         */
        get: operations["publicReadPost"];
        put?: never;
        post?: never;
        /**
         * Delete a post
         * @description Deletes the post from Meydan. What was published stays on the networks. The post can be restored for 24 hours and is then erased. A post that is being published cannot be deleted.
         *
         *     Requires an API token with the scope `posts:write`. The owner of the token needs the role `author` or higher.
         */
        delete: operations["publicDeletePost"];
        options?: never;
        head?: never;
        /**
         * Update a post
         * @description Updates a draft, scheduled or failed post. Set `scheduled_at` to null to turn it into a draft. Authors can update only their own posts.
         *
         *     Requires an API token with the scope `posts:write`. The owner of the token needs the role `author` or higher.
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
         * Restore a deleted post
         * @description Restores a post deleted in the last 24 hours. A scheduled post is scheduled again. If its time has passed, it becomes a draft without a time.
         *
         *     Requires the role `author` or higher. API tokens without scopes are accepted.
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
         * Restore a deleted post
         * @description Restores a post deleted in the last 24 hours. A scheduled post is scheduled again. If its time has passed, it becomes a draft without a time.
         *
         *     Requires an API token with the scope `posts:write`. The owner of the token needs the role `author` or higher.
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
         * Publish a post immediately
         * @description Publishes a draft or a scheduled post.
         *
         *     Requires the role `author` or higher. API tokens without scopes are accepted.
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
         * Publish a post immediately
         * @description Publishes a draft or a scheduled post.
         *
         *     Requires an API token with the scope `posts:write`. The owner of the token needs the role `author` or higher.
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
         * Retry the failed targets of a post
         * @description Publishes a failed or partially published post again on the accounts where it failed. A thread goes on where it broke.
         *
         *     Requires the role `author` or higher. API tokens without scopes are accepted.
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
         * Retry the failed targets of a post
         * @description Publishes a failed or partially published post again on the accounts where it failed. A thread goes on where it broke.
         *
         *     Requires an API token with the scope `posts:write`. The owner of the token needs the role `author` or higher.
         */
        post: operations["publicRetryPost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/posts/{id}/targets/{target_id}/resolve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resolve a lost response
         * @description States whether a post whose response was lost is on the network, for a target with `needs_resolution`. A published one goes on with the rest of its thread. One that is not published fails, and can be retried.
         *
         *     Requires the role `author` or higher. API tokens without scopes are accepted.
         */
        post: operations["resolveTarget"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/public/posts/{id}/targets/{target_id}/resolve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resolve a lost response
         * @description States whether a post whose response was lost is on the network, for a target with `needs_resolution`. A published one goes on with the rest of its thread. One that is not published fails, and can be retried.
         *
         *     Requires an API token with the scope `posts:write`. The owner of the token needs the role `author` or higher.
         */
        post: operations["publicResolveTarget"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/posts/{id}/targets/{target_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Edit a published post on its network
         * @description Changes the text of a published post on one account, where `capabilities.edit` of its network is true. The other parts of a thread stay.
         *
         *     Requires the role `author` or higher. API tokens without scopes are accepted.
         */
        patch: operations["editPublishedPost"];
        trace?: never;
    };
    "/api/v1/public/posts/{id}/targets/{target_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Edit a published post on its network
         * @description Changes the text of a published post on one account, where `capabilities.edit` of its network is true. The other parts of a thread stay.
         *
         *     Requires an API token with the scope `posts:write`. The owner of the token needs the role `author` or higher.
         */
        patch: operations["publicEditPublishedPost"];
        trace?: never;
    };
    "/api/v1/posts/{id}/unpublish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete a post on its networks
         * @description Deletes a published post on every network that allows it. It stays in Meydan. A target whose network fails stays `published` with its error; call this again to retry.
         *
         *     Requires the role `author` or higher. API tokens without scopes are accepted.
         */
        post: operations["unpublishPost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/public/posts/{id}/unpublish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete a post on its networks
         * @description Deletes a published post on every network that allows it. It stays in Meydan. A target whose network fails stays `published` with its error; call this again to retry.
         *
         *     Requires an API token with the scope `posts:write`. The owner of the token needs the role `author` or higher.
         */
        post: operations["publicUnpublishPost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/marketplace/balance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve your balance as a seller
         * @description Returns what you have earned with gigs of this workspace, by currency.
         *
         *     Requires the role `admin` or higher. API tokens are not accepted.
         */
        get: operations["readSellerBalance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/marketplace/statement": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what changed your balance
         * @description Returns your earnings, refunds and payouts in this workspace and a currency, newest first. Clearance changes no sum, so it is not listed.
         *
         *     Requires the role `admin` or higher. API tokens are not accepted.
         */
        get: operations["listStatement"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/marketplace/statement/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export your statement
         * @description Returns the same as CSV in UTF-8, oldest first.
         *
         *     Requires the role `admin` or higher. API tokens are not accepted.
         */
        get: operations["exportStatement"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/marketplace/payout-account": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve your payout account
         * @description Returns where your earnings in this workspace are paid out to. 404 before it is set.
         *
         *     Requires the role `admin` or higher. API tokens are not accepted.
         */
        get: operations["readPayoutAccount"];
        /**
         * Set your payout account
         * @description Send an IBAN, or a note for an account without one. You get an e-mail about it. After a change of an existing account, no payout can be requested for 48 hours; those requested before go to the former account.
         *
         *     Requires the role `admin` or higher. API tokens are not accepted.
         */
        put: operations["setPayoutAccount"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/marketplace/payouts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your payouts
         * @description Returns the payouts of your earnings in this workspace, newest first.
         *
         *     Requires the role `admin` or higher. API tokens are not accepted.
         */
        get: operations["listPayouts"];
        put?: never;
        /**
         * Request a payout
         * @description Requests all that is available in a currency, or a part of it, to the payout account of now. An instance admin transfers it.
         *
         *     Requires the role `admin` or higher. API tokens are not accepted.
         */
        post: operations["requestPayout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/marketplace/payouts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve a payout
         * @description Requires the role `admin` or higher. API tokens are not accepted.
         */
        get: operations["readPayout"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/marketplace/payouts/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a payout
         * @description Possible while it is `pending`: the amount is available again. Canceling twice changes nothing.
         *
         *     Requires the role `admin` or higher. API tokens are not accepted.
         */
        post: operations["cancelPayout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/marketplace/payouts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List payouts of all sellers
         * @description Returns the newest first. Those to be transferred have the full IBAN; the audit log notes who read it.
         *
         *     Requires an instance admin. API tokens are not accepted.
         */
        get: operations["listAllPayouts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/marketplace/payouts/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Put pending payouts into a batch for the bank
         * @description Sets the pending payouts of a currency, the oldest 1,000, to `processing`, so that no other admin transfers them as well. Download the batch afterwards, as often as needed.
         *
         *     Requires an instance admin. API tokens are not accepted.
         */
        post: operations["exportPayouts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/marketplace/payout-batches/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a batch of payouts
         * @description Returns the payouts of a batch that are still `processing`, as CSV in UTF-8 for the bank.
         *
         *     Requires an instance admin. API tokens are not accepted.
         */
        get: operations["downloadPayoutBatch"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/marketplace/payouts/{id}/paid": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Note that a payout was transferred
         * @description The seller gets an e-mail. The same reference again changes nothing; another one is refused.
         *
         *     Requires an instance admin. API tokens are not accepted.
         */
        post: operations["markPayoutPaid"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/marketplace/payouts/{id}/failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Note that a payout could not be transferred
         * @description The amount is available to the seller again, who gets an e-mail with the reason. The same reason again changes nothing; another one is refused.
         *
         *     Requires an instance admin. API tokens are not accepted.
         */
        post: operations["markPayoutFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/marketplace/gigs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List public gigs
         * @description Returns published gigs. One call looks through a limited number of records: with several filters, a page may have fewer records than `limit`, or none, while `next_cursor` leads to more.
         *
         *     Requires no authentication.
         */
        get: operations["listGigs"];
        put?: never;
        /**
         * Create a gig
         * @description Creates a gig of yours. It is a draft unless `status` publishes it.
         *
         *     Requires the role `admin` or higher. API tokens without scopes are accepted. The plan of the workspace must include `marketplace.sell`.
         */
        post: operations["createGig"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/public/marketplace/gigs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a gig
         * @description Creates a gig of yours. It is a draft unless `status` publishes it.
         *
         *     Requires an API token with the scope `gigs:write`. The owner of the token needs the role `admin` or higher. The plan of the workspace must include `marketplace.sell`.
         */
        post: operations["publicCreateGig"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/marketplace/gigs/mine": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your gigs
         * @description Returns your gigs in this workspace in every status, newest first.
         *
         *     Requires membership in the workspace. API tokens without scopes are accepted.
         */
        get: operations["listOwnGigs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/public/marketplace/gigs/mine": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your gigs
         * @description Returns your gigs in this workspace in every status, newest first.
         *
         *     Requires an API token with the scope `gigs:read`.
         */
        get: operations["publicListOwnGigs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/marketplace/gigs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve a gig
         * @description Returns a public gig by its id or slug. Returns a gig of yours in any status, when you are signed in.
         *
         *     Requires no authentication.
         */
        get: operations["readGig"];
        put?: never;
        post?: never;
        /**
         * Delete a gig
         * @description Deletes a gig of yours that nobody ordered. Pause one that has orders.
         *
         *     Requires the role `admin` or higher. API tokens without scopes are accepted.
         */
        delete: operations["deleteGig"];
        options?: never;
        head?: never;
        /**
         * Update a gig
         * @description Changes a gig of yours, at once. Running orders keep the terms of the time when they were placed. Publishing needs the feature `marketplace.sell`.
         *
         *     Requires the role `admin` or higher. API tokens without scopes are accepted.
         */
        patch: operations["changeGig"];
        trace?: never;
    };
    "/api/v1/public/marketplace/gigs/{id}": {
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
         * Delete a gig
         * @description Deletes a gig of yours that nobody ordered. Pause one that has orders.
         *
         *     Requires an API token with the scope `gigs:write`. The owner of the token needs the role `admin` or higher.
         */
        delete: operations["publicDeleteGig"];
        options?: never;
        head?: never;
        /**
         * Update a gig
         * @description Changes a gig of yours, at once. Running orders keep the terms of the time when they were placed. Publishing needs the feature `marketplace.sell`.
         *
         *     Requires an API token with the scope `gigs:write`. The owner of the token needs the role `admin` or higher.
         */
        patch: operations["publicChangeGig"];
        trace?: never;
    };
    "/api/v1/marketplace/gigs/{id}/samples/{media_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a file that a gig shows
         * @description Supports `Range` and `If-None-Match`. Files of gigs that are not public are sent to their owner only.
         *
         *     Requires no authentication.
         */
        get: operations["downloadGigSample"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/marketplace/gigs/{id}/samples/{media_id}/thumbnail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the thumbnail of a file that a gig shows
         * @description A WebP picture of at most 400 by 400 pixels. Supports `Range` and `If-None-Match`. Files of gigs that are not public are sent to their owner only.
         *
         *     Requires no authentication.
         */
        get: operations["downloadGigSampleThumbnail"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/marketplace/orders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List orders
         * @description Returns the orders of the workspace as a buyer, and those of the caller as a seller, newest first.
         *
         *     Requires membership in the workspace. API tokens without scopes are accepted.
         */
        get: operations["listOrders"];
        put?: never;
        /**
         * Order a gig
         * @description Orders a gig for the workspace, on the terms of the gig as they are now. The response has the checkout to pay; the seller can accept the order once it is paid. The same order again, while the first waits for its payment, returns the first with 200. It also waits for the payment for at most as long as its checkout is open.
         *
         *     Requires the role `admin` or higher. API tokens are not accepted.
         */
        post: operations["createOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/public/marketplace/orders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List orders
         * @description Returns the orders of the workspace as a buyer, and those of the caller as a seller, newest first.
         *
         *     Requires an API token with the scope `orders:read`.
         */
        get: operations["publicListOrders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/marketplace/orders/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve an order
         * @description Requires membership in the workspace. API tokens without scopes are accepted.
         */
        get: operations["readOrder"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/public/marketplace/orders/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve an order
         * @description Requires an API token with the scope `orders:read`.
         */
        get: operations["publicReadOrder"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/marketplace/orders/{id}/withdraw": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Withdraw an order
         * @description Ends an order that the seller has not accepted, for the buyer. What was paid is returned.
         *
         *     Requires the role `admin` or higher. API tokens are not accepted.
         */
        post: operations["withdrawOrder"];
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
        /** @description Problem details (RFC 9457). */
        Problem: {
            /** @description URL of the page that explains the code. */
            type: string;
            title: string;
            /** Format: int32 */
            status: number;
            /** @description Explanation of the problem and how to resolve it. */
            detail: string;
            /** @description Path of the request. */
            instance?: string;
            /**
             * @description Stable error code. Branch on this value.
             * @enum {string}
             */
            code: "malformed_request" | "malformed_json" | "validation_failed" | "read_only" | "url_not_allowed" | "import_failed" | "account_refused" | "search_too_slow" | "account_unreachable" | "ai_refused" | "verification_failed" | "code_rejected" | "signature_invalid" | "unauthenticated" | "sign_in_failed" | "payment_declined" | "email_not_verified" | "banned" | "sign_up_closed" | "password_wrong" | "forbidden_role" | "insufficient_scope" | "feature_not_available" | "limit_exceeded" | "token_not_accepted" | "cross_origin" | "setup_code_invalid" | "not_found" | "subscription_not_found" | "method_not_allowed" | "workspace_required" | "workspace_name_taken" | "workspace_slug_taken" | "plan_code_taken" | "account_taken" | "member_taken" | "invitation_taken" | "email_template_taken" | "media_in_use" | "gig_has_orders" | "last_owner" | "two_factor_on" | "two_factor_off" | "model_key_missing" | "no_model" | "model_key_refused" | "model_unusable" | "idempotency_key_in_use" | "confirmation_required" | "not_supported_by_network" | "payout_account_required" | "payouts_held" | "seller_balance_left" | "balance_too_low" | "invalid_transition" | "billing_disabled" | "billing_not_configured" | "already_subscribed" | "subscription_required" | "own_gig" | "price_changed" | "plan_not_sold" | "period_not_changed" | "resume_too_late" | "setup_done" | "request_timeout" | "version_conflict" | "body_too_large" | "uri_too_long" | "file_too_large" | "unsupported_media_type" | "file_type_refused" | "range_not_satisfiable" | "expectation_failed" | "file_damaged" | "idempotency_key_reused" | "too_many_requests" | "ai_rate_limited" | "headers_too_large" | "internal_error" | "unavailable" | "billing_refused" | "billing_unavailable" | "ai_unavailable";
            /** @description Identifies the request in the server log. */
            request_id?: string;
            errors?: {
                /** @description JSON Pointer (RFC 6901) to the field. */
                pointer: string;
                code: string;
                message: string;
                /** @description The message in other languages, where it has details that the code lacks. */
                translations?: {
                    tr?: string;
                };
            }[];
            /** @description With `invalid_transition` and `already_subscribed`: the current state. */
            state?: string;
            /** @description With `insufficient_scope`: the missing scope. */
            scope?: string;
            /** @description With `last_owner` on `DELETE /me`: ids of the workspaces that have no other owner. */
            workspace_ids?: string[];
            /** @description With `media_in_use`: ids of the posts that use the file. */
            post_ids?: string[];
            /** @description With `media_in_use`: ids of the gigs that show the file. */
            gig_ids?: string[];
            /** @description With `feature_not_available`: the feature that the plan does not include. */
            feature?: string;
            /** @description With `limit_exceeded`: name of the limit. */
            meter?: string;
            /**
             * Format: int32
             * @description With `limit_exceeded`: the maximum.
             */
            limit?: number;
            /**
             * Format: int32
             * @description With `limit_exceeded`: the current usage.
             */
            used?: number;
            /** @description With `limit_exceeded` for a limit of the plan: code of the first public plan that allows more, or null. */
            upgrade_plan?: string | null;
            /** @description With `billing_not_configured`: names of the options that an instance admin must set. */
            missing?: string[];
            /** @description With `plan_not_sold`: key that the metadata of the plan lacks. */
            metadata_key?: string;
            /** @description With `already_subscribed`: code of the present plan. */
            plan_code?: string;
            /**
             * Format: date-time
             * @description With `resume_too_late`: time until which the workspace has access.
             */
            current_period_end?: string;
        };
        Me: {
            /** @description Unique id (UUIDv7). */
            id: string;
            /**
             * Format: email
             * @description E-mail address.
             */
            email: string;
            /** @description Name that other users see. One line, without invisible characters or characters that change the text direction. */
            name: string;
            /** @description Language tag (BCP 47), such as `tr` or `en-GB`. */
            locale: string;
            /** @description Time zone (IANA), such as `Europe/Istanbul`. */
            timezone: string;
            /** @description Whether you are an instance admin. */
            is_instance_admin: boolean;
            /** @description Whether two-factor sign-in is on. */
            two_factor_enabled: boolean;
            /** @description Whether you receive an e-mail when posts of yours fail. */
            mail_post_failures: boolean;
            /** @description Unique id (UUIDv7). */
            workspace_id: string | null;
            /** Format: date-time */
            created_at: string;
        };
        ChangeMe: {
            /** @description Name that other users see. One line, without invisible characters or characters that change the text direction. */
            name?: string;
            /** @description Language tag (BCP 47), such as `tr` or `en-GB`. */
            locale?: string;
            /** @description Time zone (IANA), such as `Europe/Istanbul`. */
            timezone?: string;
            /** @description Whether you receive an e-mail when posts of yours fail. */
            mail_post_failures?: boolean;
            /** @description Unique id (UUIDv7). */
            workspace_id?: string;
        };
        ConfirmedByPassword: {
            /** @description Your current password. */
            password: string;
        };
        /** @description Everything that Meydan stores about you, and everything you wrote. */
        PersonalExport: {
            /** Format: date-time */
            exported_at: string;
            profile: {
                /** @description Unique id (UUIDv7). */
                id: string;
                /**
                 * Format: email
                 * @description E-mail address.
                 */
                email: string;
                /** @description Name that other users see. One line, without invisible characters or characters that change the text direction. */
                name: string;
                /** @description Language tag (BCP 47), such as `tr` or `en-GB`. */
                locale: string;
                /** @description Time zone (IANA), such as `Europe/Istanbul`. */
                timezone: string;
                /** @description Whether you are an instance admin. */
                is_instance_admin: boolean;
                /** @description Whether two-factor sign-in is on. */
                two_factor_enabled: boolean;
                /** @description Whether you receive an e-mail when posts of yours fail. */
                mail_post_failures: boolean;
                /** @description Unique id (UUIDv7). */
                workspace_id: string | null;
                /** Format: date-time */
                created_at: string;
                email_verified: boolean;
                /** Format: date-time */
                updated_at: string;
            };
            memberships: {
                /** @description Unique id (UUIDv7). */
                workspace_id: string;
                name: string;
                slug: string;
                /** @enum {string} */
                role: "viewer" | "author" | "editor" | "admin" | "owner";
                /** Format: date-time */
                created_at: string;
            }[];
            /** @description Change of e-mail address that waits for its codes. */
            email_change: {
                /**
                 * Format: email
                 * @description New e-mail address.
                 */
                email: string;
                /** Format: date-time */
                expires_at: string;
                /** Format: date-time */
                created_at: string;
            } | null;
            sessions: {
                /** @description Unique id (UUIDv7). */
                id: string;
                /** @description IP address that opened the session. */
                ip_address: string | null;
                /** @description User-Agent header of the browser. */
                user_agent: string | null;
                /** Format: date-time */
                created_at: string;
                /**
                 * Format: date-time
                 * @description Time of last use, to the minute.
                 */
                last_used_at: string | null;
                /** Format: date-time */
                expires_at: string;
            }[];
            api_tokens: {
                /** @description Unique id (UUIDv7). */
                id: string;
                /** @description Id of the workspace that the token is bound to. */
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
                /** @description Unique id (UUIDv7). */
                id: string;
                /** Format: date-time */
                at: string;
                /** @description Unique id (UUIDv7). */
                workspace_id: string | null;
                /** @description Unique id (UUIDv7). */
                token_id: string | null;
                action: string;
                target_id: string | null;
                details: {
                    [key: string]: unknown;
                };
                /** @description IP address that opened the session. */
                ip: string | null;
                /** @description User-Agent header of the browser. */
                user_agent: string | null;
            }[];
            posts: {
                /** @description Unique id (UUIDv7). */
                id: string;
                /** @description Unique id (UUIDv7). */
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
            media: {
                /** @description Unique id (UUIDv7). */
                id: string;
                /** @description Unique id (UUIDv7). */
                workspace_id: string;
                kind: string;
                mime: string;
                /** Format: int32 */
                bytes: number;
                name: string;
                alt: string;
                labels: string[];
                sha256: string;
                /** Format: date-time */
                created_at: string;
            }[];
            webhooks: {
                /** @description Unique id (UUIDv7). */
                id: string;
                /** @description Id of the workspace that the webhook belongs to. */
                team_id: string;
                url: string;
                events: string[];
                active: boolean;
                /** Format: date-time */
                created_at: string;
            }[];
            invitations: {
                /** @description Unique id (UUIDv7). */
                id: string;
                /** @description Unique id (UUIDv7). */
                workspace_id: string;
                /**
                 * Format: email
                 * @description E-mail address that the invitation was sent to.
                 */
                email: string;
                /** @enum {string} */
                role: "viewer" | "author" | "editor" | "admin" | "owner";
                /** @description Language tag (BCP 47), such as `tr` or `en-GB`. */
                locale: string;
                /** @enum {string} */
                state: "pending" | "accepted" | "revoked";
                /** @description Whether you sent it. */
                sent: boolean;
                /** @description Whether you accepted it. */
                accepted: boolean;
                /** Format: date-time */
                expires_at: string;
                /** Format: date-time */
                created_at: string;
            }[];
            mails: {
                /** @description Unique id (UUIDv7). */
                id: string;
                /** @description Key of the e-mail. */
                key: string;
                /** @description Language tag (BCP 47), such as `tr` or `en-GB`. */
                locale: string;
                /** @description Subject. A code in it is removed. */
                subject: string;
                /**
                 * @description State of the e-mail. `kept`: no mail server was set when it was written.
                 * @enum {string}
                 */
                state: "kept" | "queued" | "sent" | "failed";
                /** Format: date-time */
                created_at: string;
                /** Format: date-time */
                sent_at: string | null;
            }[];
            subscriptions: {
                /** @description Unique id (UUIDv7). */
                id: string;
                /** @description Unique id (UUIDv7). */
                workspace_id: string;
                plan_code: string;
                status: string;
                billing_period: string;
                currency: string;
                /** @description Amount, VAT included. */
                amount: number;
                /** Format: date-time */
                current_period_start: string;
                /** Format: date-time */
                current_period_end: string;
                /** Format: date-time */
                ended_at: string | null;
                provider: string;
                /** @description Id at the provider. */
                provider_customer_id: string | null;
                /** Format: date-time */
                created_at: string;
            }[];
            payments: {
                /** @description Unique id (UUIDv7). */
                id: string;
                /** @description Unique id (UUIDv7). */
                workspace_id: string;
                provider: string;
                /** @description Id at the provider. */
                provider_payment_id: string;
                currency: string;
                /** @description Amount, VAT included. */
                amount: number;
                /** Format: date-time */
                paid_at: string;
            }[];
            invoices: {
                /** @description Unique id (UUIDv7). */
                id: string;
                /** @description Unique id (UUIDv7). */
                workspace_id: string;
                number: string;
                kind: string;
                status: string;
                currency: string;
                /** @description Amount, VAT included. */
                total: number;
                buyer: {
                    [key: string]: unknown;
                };
                /** Format: date-time */
                issued_at: string;
                /** Format: date-time */
                paid_at: string | null;
            }[];
            payout_accounts: {
                /** @description Unique id (UUIDv7). */
                workspace_id: string;
                holder: string;
                iban_masked: string | null;
                /** Format: date-time */
                updated_at: string;
            }[];
            payouts: {
                /** @description Unique id (UUIDv7). */
                id: string;
                /** @description Unique id (UUIDv7). */
                workspace_id: string | null;
                currency: string;
                /** @description Amount, VAT included. */
                amount: number;
                status: string;
                holder: string;
                iban_masked: string | null;
                reference: string | null;
                failure_reason: string | null;
                /** Format: date-time */
                decided_at: string | null;
                /** Format: date-time */
                created_at: string;
            }[];
        };
        ChangePassword: {
            /** @description Your current password. */
            current_password: string;
            /** @description Password, 10 to 200 characters. */
            new_password: string;
        };
        EmailAddress: {
            /**
             * Format: email
             * @description E-mail address.
             */
            email: string;
            /** @description Change of e-mail address that waits for its codes. */
            pending: {
                /**
                 * Format: email
                 * @description New e-mail address.
                 */
                email: string;
                /** Format: date-time */
                expires_at: string;
            } | null;
        };
        ChangeEmail: {
            /**
             * Format: email
             * @description New e-mail address.
             */
            email: string;
            /** @description Your current password. */
            password: string;
        };
        /** @description Change of e-mail address that waits for its codes. */
        EmailChange: {
            /**
             * Format: email
             * @description New e-mail address.
             */
            email: string;
            /** Format: date-time */
            expires_at: string;
        };
        ConfirmEmail: {
            /** @description Six-digit code sent to the current address. */
            old_code: string;
            /** @description Six-digit code sent to the new address. */
            new_code: string;
        };
        TwoFactorSetup: {
            /** @description `otpauth://` URI with the secret for an authenticator app. Returned only in this response; null when the response is replayed for an `Idempotency-Key`. */
            totp_uri: string | null;
            /** @description Backup codes. Each replaces the second factor once. Returned only in this response; null when the response is replayed for an `Idempotency-Key`. */
            backup_codes: string[] | null;
        };
        ConfirmTwoFactor: {
            /** @description Six-digit code from the authenticator app. */
            code: string;
        };
        NewBackupCodes: {
            /** @description Backup codes. Each replaces the second factor once. Returned only in this response; null when the response is replayed for an `Idempotency-Key`. */
            backup_codes: string[] | null;
        };
        Session: {
            /** @description Unique id (UUIDv7). */
            id: string;
            /** @description IP address that opened the session. */
            ip_address: string | null;
            /** @description User-Agent header of the browser. */
            user_agent: string | null;
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description Time of last use, to the minute.
             */
            last_used_at: string | null;
            /** Format: date-time */
            expires_at: string;
            /** @description Whether this call uses the session. */
            current: boolean;
        };
        AdminUser: {
            /** @description Unique id (UUIDv7). */
            id: string;
            /**
             * Format: email
             * @description E-mail address.
             */
            email: string;
            /** @description Name that other users see. One line, without invisible characters or characters that change the text direction. */
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
             * @description Number of workspaces that the user belongs to.
             */
            workspaces: number;
        };
        Ban: {
            /** @description Reason, shown to other instance admins. */
            reason?: string;
        };
        Instance: {
            /** @description Whether the first instance admin must still be created with `POST /setup`. */
            needs_setup: boolean;
            /** @description Whether a mail server is set. Without one, e-mails stay in the outbox. */
            sends_mail: boolean;
            /**
             * @description Sign-up policy: `open` (anyone), `invitation` (invited addresses only) or `closed` (nobody).
             * @enum {string}
             */
            sign_up: "open" | "invitation" | "closed";
        };
        SetUp: {
            /** @description Code from the setup link that the first start prints. */
            code: string;
            /**
             * Format: email
             * @description E-mail address.
             */
            email: string;
            /** @description Password, 10 to 200 characters. */
            password: string;
            /** @description Name that other users see. One line, without invisible characters or characters that change the text direction. */
            name: string;
            /** @description Name of the first workspace. One line, without invisible characters or characters that change the text direction. */
            workspace_name?: string;
            /** @description Language tag (BCP 47), such as `tr` or `en-GB`. */
            locale?: string;
            /** @description Time zone (IANA), such as `Europe/Istanbul`. */
            timezone?: string;
        };
        SetUpDone: {
            /** @description Unique id (UUIDv7). */
            user_id: string;
            /** @description Unique id (UUIDv7). */
            workspace_id: string | null;
        };
        Workspace: {
            /** @description Unique id (UUIDv7). */
            id: string;
            /** @description Name of the workspace. Unique in this instance regardless of case and of letters that look alike. One line, without invisible characters or characters that change the text direction. */
            name: string;
            /** @description Short name for URLs, unique in this instance: letters a-z, digits and single hyphens between them. */
            slug: string;
            /**
             * @description Default currency of the workspace.
             * @enum {string}
             */
            default_currency: "TRY" | "USD";
            /** @description Language tag (BCP 47), such as `tr` or `en-GB`. */
            locale: string;
            /** @description Time zone (IANA), such as `Europe/Istanbul`. */
            timezone: string;
            /** @description Billing address, printed on invoices. With a `country` of the European Union or Turkey, `tax_id` must be a valid number there. */
            billing_address: {
                name?: string;
                line1?: string;
                line2?: string;
                city?: string;
                country?: string;
                postal?: string;
                tax_id?: string;
            } | null;
            /** @description Code of the plan of the workspace. Set by billing. */
            plan_code: string;
            /**
             * @description Your role in the workspace.
             * @enum {string}
             */
            role: "viewer" | "author" | "editor" | "admin" | "owner";
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        NewWorkspace: {
            /** @description Name of the workspace. Unique in this instance regardless of case and of letters that look alike. One line, without invisible characters or characters that change the text direction. */
            name: string;
            /** @description Short name for URLs, unique in this instance: letters a-z, digits and single hyphens between them. */
            slug?: string;
            /** @description Language tag (BCP 47), such as `tr` or `en-GB`. */
            locale?: string;
            /** @description Time zone (IANA), such as `Europe/Istanbul`. */
            timezone?: string;
        };
        ChangeWorkspace: {
            /** @description Name of the workspace. Unique in this instance regardless of case and of letters that look alike. One line, without invisible characters or characters that change the text direction. */
            name?: string;
            /** @description Short name for URLs, unique in this instance: letters a-z, digits and single hyphens between them. */
            slug?: string;
            /**
             * @description Default currency of the workspace.
             * @enum {string}
             */
            default_currency?: "TRY" | "USD";
            /** @description Language tag (BCP 47), such as `tr` or `en-GB`. */
            locale?: string;
            /** @description Time zone (IANA), such as `Europe/Istanbul`. */
            timezone?: string;
            /** @description Billing address, printed on invoices. With a `country` of the European Union or Turkey, `tax_id` must be a valid number there. */
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
            /** @description Name of the workspace, to confirm the deletion. */
            name: string;
        };
        DeletedWorkspace: {
            /** @description Unique id (UUIDv7). */
            id: string;
            /** @description Name of the workspace. Unique in this instance regardless of case and of letters that look alike. One line, without invisible characters or characters that change the text direction. */
            name: string;
            /** @description Short name for URLs, unique in this instance: letters a-z, digits and single hyphens between them. */
            slug: string;
            /** Format: date-time */
            deleted_at: string;
            /**
             * Format: date-time
             * @description Time at which the workspace is erased. Until then it can be restored.
             */
            restorable_until: string;
        };
        Checklist: {
            /** @description Whether an account is connected. */
            connected: boolean;
            /** @description Whether a post exists. */
            written: boolean;
            /** @description Whether a post has been published. */
            published: boolean;
            /** @description Whether a webhook exists. */
            webhook: boolean;
            /** @description Whether you have dismissed the checklist. */
            dismissed: boolean;
        };
        WorkspaceMember: {
            /** @description Id of the user. */
            id: string;
            /** @description Name that other users see. One line, without invisible characters or characters that change the text direction. */
            name: string;
            /**
             * Format: email
             * @description E-mail address.
             */
            email: string;
            /**
             * @description Role of the member. `viewer` reads. `author` also writes their own posts. `editor` also manages all posts and accounts. `admin` also manages settings, members and webhooks. `owner` can do everything.
             * @enum {string}
             */
            role: "viewer" | "author" | "editor" | "admin" | "owner";
            /** @description Whether the user signs in with a second factor. */
            two_factor_enabled: boolean;
            /**
             * Format: date-time
             * @description Time at which the user became a member.
             */
            created_at: string;
        };
        ChangeMember: {
            /**
             * @description Role of the member. `viewer` reads. `author` also writes their own posts. `editor` also manages all posts and accounts. `admin` also manages settings, members and webhooks. `owner` can do everything.
             * @enum {string}
             */
            role: "viewer" | "author" | "editor" | "admin" | "owner";
        };
        Invitation: {
            /** @description Unique id (UUIDv7). */
            id: string;
            /**
             * Format: email
             * @description E-mail address.
             */
            email: string;
            /**
             * @description Role of the member. `viewer` reads. `author` also writes their own posts. `editor` also manages all posts and accounts. `admin` also manages settings, members and webhooks. `owner` can do everything.
             * @enum {string}
             */
            role: "viewer" | "author" | "editor" | "admin" | "owner";
            /**
             * @description State of the invitation. Only a pending invitation can be accepted.
             * @enum {string}
             */
            state: "pending" | "accepted" | "revoked" | "expired";
            /** @description Id of the user who sent the invitation. Null if that user no longer exists. */
            invited_by: string | null;
            /** Format: date-time */
            expires_at: string;
            /** Format: date-time */
            created_at: string;
        };
        NewInvitation: {
            /**
             * Format: email
             * @description E-mail address.
             */
            email: string;
            /**
             * @description Role of the member. `viewer` reads. `author` also writes their own posts. `editor` also manages all posts and accounts. `admin` also manages settings, members and webhooks. `owner` can do everything.
             * @enum {string}
             */
            role: "viewer" | "author" | "editor" | "admin" | "owner";
            /** @description Language of the e-mail, as a language tag (BCP 47). Defaults to the language of the invited user, or to that of the workspace for a new user. */
            locale?: string;
        };
        SentInvitation: {
            /** @description Unique id (UUIDv7). */
            id: string;
            /**
             * Format: email
             * @description E-mail address.
             */
            email: string;
            /**
             * @description Role of the member. `viewer` reads. `author` also writes their own posts. `editor` also manages all posts and accounts. `admin` also manages settings, members and webhooks. `owner` can do everything.
             * @enum {string}
             */
            role: "viewer" | "author" | "editor" | "admin" | "owner";
            /**
             * @description State of the invitation. Only a pending invitation can be accepted.
             * @enum {string}
             */
            state: "pending" | "accepted" | "revoked" | "expired";
            /** @description Id of the user who sent the invitation. Null if that user no longer exists. */
            invited_by: string | null;
            /** Format: date-time */
            expires_at: string;
            /** Format: date-time */
            created_at: string;
            /** @description Link to accept the invitation, as in the e-mail. Returned only in this response; null when the response is replayed for an `Idempotency-Key`. */
            url: string | null;
        };
        InvitationPreview: {
            workspace_name: string;
            /** @description Name that other users see. One line, without invisible characters or characters that change the text direction. */
            inviter_name: string | null;
            /**
             * Format: email
             * @description E-mail address.
             */
            email: string;
            /**
             * @description Role of the member. `viewer` reads. `author` also writes their own posts. `editor` also manages all posts and accounts. `admin` also manages settings, members and webhooks. `owner` can do everything.
             * @enum {string}
             */
            role: "viewer" | "author" | "editor" | "admin" | "owner";
            /**
             * @description State of the invitation. Only a pending invitation can be accepted.
             * @enum {string}
             */
            state: "pending" | "accepted" | "revoked" | "expired";
            /** Format: date-time */
            expires_at: string;
        };
        ApiToken: {
            /** @description Unique id (UUIDv7). */
            id: string;
            /** @description Id of the user who owns the token. The token acts as this user. */
            user: string;
            /** @description Id of the workspace that the token is bound to. Null for all workspaces of its owner. */
            team_id: string | null;
            /** @description Name of the token. One line, without invisible characters or characters that change the text direction. */
            name: string;
            /** @description Beginning of the token, to recognize it by. */
            prefix: string;
            /** @description Scopes of the token under `/api/v1/public`. A token without scopes acts as its owner on all other paths that accept tokens. */
            scopes: string[];
            /**
             * Format: date-time
             * @description Time of last use, to the minute.
             */
            last_used_at: string | null;
            /**
             * Format: date-time
             * @description Time at which the token expires. Null if it never expires.
             */
            expires_at: string | null;
            /**
             * Format: date-time
             * @description Time at which the token was revoked. Null if it was not.
             */
            revoked_at: string | null;
            /**
             * Format: date-time
             * @description Time at which the secret was last rotated.
             */
            rotated_at: string | null;
            /**
             * Format: date-time
             * @description End of the overlap after a rotation, until which the previous secret works.
             */
            previous_expires_at: string | null;
            /** Format: date-time */
            created_at: string;
        };
        NewApiToken: {
            /** @description Name of the token. One line, without invisible characters or characters that change the text direction. */
            name: string;
            /** @description Scopes of the token. Defaults to none. */
            scopes?: string[];
            /** @description Id of the current workspace, or null for all of your workspaces. Defaults to the current workspace. */
            team_id?: string | null;
            /**
             * Format: date-time
             * @description Time at which the token expires, at most five years from now. By default it never expires.
             */
            expires_at?: string | null;
        };
        CreatedApiToken: {
            /** @description Unique id (UUIDv7). */
            id: string;
            /** @description Id of the user who owns the token. The token acts as this user. */
            user: string;
            /** @description Id of the workspace that the token is bound to. Null for all workspaces of its owner. */
            team_id: string | null;
            /** @description Name of the token. One line, without invisible characters or characters that change the text direction. */
            name: string;
            /** @description Beginning of the token, to recognize it by. */
            prefix: string;
            /** @description Scopes of the token under `/api/v1/public`. A token without scopes acts as its owner on all other paths that accept tokens. */
            scopes: string[];
            /**
             * Format: date-time
             * @description Time of last use, to the minute.
             */
            last_used_at: string | null;
            /**
             * Format: date-time
             * @description Time at which the token expires. Null if it never expires.
             */
            expires_at: string | null;
            /**
             * Format: date-time
             * @description Time at which the token was revoked. Null if it was not.
             */
            revoked_at: string | null;
            /**
             * Format: date-time
             * @description Time at which the secret was last rotated.
             */
            rotated_at: string | null;
            /**
             * Format: date-time
             * @description End of the overlap after a rotation, until which the previous secret works.
             */
            previous_expires_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** @description The complete token. Returned only in this response; null when the response is replayed for an `Idempotency-Key`. */
            token: string | null;
        };
        ScopeInfo: {
            /** @description Name of the scope, `<area>:<read|write>`. Write includes read. */
            scope: string;
            /** @description Operations that the scope allows. */
            description: string;
            /**
             * @description Lowest role that can grant the scope.
             * @enum {string}
             */
            role: "viewer" | "author" | "editor" | "admin" | "owner";
        };
        RotateApiToken: {
            /**
             * Format: int32
             * @description Seconds for which the previous secret works beside the new one. 0 invalidates it immediately.
             * @default 86400
             */
            overlap_seconds: number;
        };
        OwnToken: {
            /** @description Unique id (UUIDv7). */
            id: string;
            /** @description Name of the token. One line, without invisible characters or characters that change the text direction. */
            name: string;
            /** @description Beginning of the token, to recognize it by. */
            prefix: string;
            /** @description Scopes of the token under `/api/v1/public`. A token without scopes acts as its owner on all other paths that accept tokens. */
            scopes: string[];
            /** @description Id of the user who owns the token. The token acts as this user. */
            user: string;
            /** @description Id of the workspace that the token is bound to. Null for all workspaces of its owner. */
            team_id: string | null;
            /**
             * Format: date-time
             * @description Time at which the token expires. Null if it never expires.
             */
            expires_at: string | null;
        };
        AuditEntry: {
            /** @description Unique id (UUIDv7). */
            id: string;
            /**
             * Format: date-time
             * @description Time of the action.
             */
            at: string;
            /** @description The user who did it. Null for Meydan itself and for a person who was not signed in. */
            actor: {
                /** @description Id of the user. */
                id: string;
                /** @description Name of the user. Null if the user no longer exists. */
                name: string | null;
                email: string | null;
            } | null;
            /** @description Id of the API token that was used. Null for a session. */
            token_id: string | null;
            /** @description Action, in the form `<subject>.<verb>`. */
            action: string;
            /** @description Id of the record that the action changed. */
            target_id: string | null;
            /** @description Details of the action, such as the changed fields `before` and `after`. Never contains secrets. */
            details: {
                [key: string]: unknown;
            };
            /** @description IP address of the request. */
            ip: string | null;
            /** @description User-Agent header of the request. */
            user_agent: string | null;
        };
        Webhook: {
            /** @description Unique id (UUIDv7). */
            id: string;
            /** @description Id of the user who created the webhook. Null if that user no longer exists. */
            user: string | null;
            /** @description Id of the workspace that the webhook belongs to. */
            team_id: string;
            /** @description URL that receives the events as POST requests. */
            url: string;
            /** @description Event types to send: *, post.created, post.updated, post.deleted, post.published, post.failed, account.disconnected, account.refresh_failed, billing.invoice.paid, team.invitation.accepted, billing.subscription.started, billing.subscription.changed, billing.subscription.canceled, billing.subscription.expired, billing.trial.ending, billing.payment_failed, marketplace.order.created, marketplace.order.accepted, marketplace.order.delivered, marketplace.order.revision_requested, marketplace.order.completed, marketplace.order.canceled, marketplace.order.disputed, webhook.test, publish.success, publish.fail. `*` subscribes to all of them. */
            events: string[];
            /** @description Note for your own use. */
            description: string | null;
            /** @description Names of the custom headers sent with every delivery. */
            header_names: string[];
            /** @description Whether the webhook is enabled. While it is disabled, nothing is sent and its deliveries are held for 30 days. */
            active: boolean;
            /**
             * @description Reason for disabling: `manual` (by a member), `failing` (no success for too long) or `gone` (the endpoint responded with 410).
             * @enum {string|null}
             */
            disabled_reason: "manual" | "failing" | "gone" | null;
            /**
             * Format: date-time
             * @description Time at which the webhook was disabled. Null while it is enabled.
             */
            disabled_at: string | null;
            /**
             * Format: int32
             * @description Number of consecutive failed attempts. A success resets it to 0.
             */
            failure_count: number;
            /**
             * Format: date-time
             * @description Time of the first of the consecutive failures.
             */
            first_failure_at: string | null;
            /**
             * Format: date-time
             * @description Time of the last successful attempt.
             */
            last_dispatched_at: string | null;
            /**
             * Format: date-time
             * @description Time of the last failed attempt.
             */
            last_failure_at: string | null;
            /** @description Result of the attempt at `last_failure_at`. Null once its delivery has been erased. */
            last_failure: {
                /** @description Unique id (UUIDv7). */
                delivery_id: string;
                /** @description Event type, such as `post.published`. */
                type: string;
                /**
                 * Format: int32
                 * @description HTTP status of the response. Null without a response.
                 */
                status: number | null;
                /** @description Reason for the failure. Null if there was a complete response. */
                error: string | null;
            } | null;
            /**
             * Format: date-time
             * @description Time at which the webhook is disabled unless an attempt succeeds first.
             */
            disable_at: string | null;
            /**
             * @description State of the circuit breaker: `closed` (deliveries are sent), `open` (too many consecutive failures; sending is paused) or `half_open` (one delivery is sent as a probe).
             * @enum {string}
             */
            circuit: "closed" | "open" | "half_open";
            /**
             * Format: date-time
             * @description Earliest time of the next probe.
             */
            circuit_until: string | null;
            /**
             * Format: date-time
             * @description End of the overlap after a rotation, until which the previous secret also signs.
             */
            previous_secret_expires_at: string | null;
            /** Format: date-time */
            created_at: string;
        };
        NewWebhook: {
            /** @description URL that receives the events as POST requests. */
            url: string;
            /** @description Event types to send: *, post.created, post.updated, post.deleted, post.published, post.failed, account.disconnected, account.refresh_failed, billing.invoice.paid, team.invitation.accepted, billing.subscription.started, billing.subscription.changed, billing.subscription.canceled, billing.subscription.expired, billing.trial.ending, billing.payment_failed, marketplace.order.created, marketplace.order.accepted, marketplace.order.delivered, marketplace.order.revision_requested, marketplace.order.completed, marketplace.order.canceled, marketplace.order.disputed, webhook.test, publish.success, publish.fail. `*` subscribes to all of them. */
            events: string[];
            /** @description Note for your own use. */
            description?: string;
            /** @description Custom headers sent with every delivery, such as `Authorization`. They are stored encrypted and never returned. Setting them replaces all previous ones. */
            headers?: {
                [key: string]: string;
            };
        };
        CreatedWebhook: {
            /** @description Unique id (UUIDv7). */
            id: string;
            /** @description Id of the user who created the webhook. Null if that user no longer exists. */
            user: string | null;
            /** @description Id of the workspace that the webhook belongs to. */
            team_id: string;
            /** @description URL that receives the events as POST requests. */
            url: string;
            /** @description Event types to send: *, post.created, post.updated, post.deleted, post.published, post.failed, account.disconnected, account.refresh_failed, billing.invoice.paid, team.invitation.accepted, billing.subscription.started, billing.subscription.changed, billing.subscription.canceled, billing.subscription.expired, billing.trial.ending, billing.payment_failed, marketplace.order.created, marketplace.order.accepted, marketplace.order.delivered, marketplace.order.revision_requested, marketplace.order.completed, marketplace.order.canceled, marketplace.order.disputed, webhook.test, publish.success, publish.fail. `*` subscribes to all of them. */
            events: string[];
            /** @description Note for your own use. */
            description: string | null;
            /** @description Names of the custom headers sent with every delivery. */
            header_names: string[];
            /** @description Whether the webhook is enabled. While it is disabled, nothing is sent and its deliveries are held for 30 days. */
            active: boolean;
            /**
             * @description Reason for disabling: `manual` (by a member), `failing` (no success for too long) or `gone` (the endpoint responded with 410).
             * @enum {string|null}
             */
            disabled_reason: "manual" | "failing" | "gone" | null;
            /**
             * Format: date-time
             * @description Time at which the webhook was disabled. Null while it is enabled.
             */
            disabled_at: string | null;
            /**
             * Format: int32
             * @description Number of consecutive failed attempts. A success resets it to 0.
             */
            failure_count: number;
            /**
             * Format: date-time
             * @description Time of the first of the consecutive failures.
             */
            first_failure_at: string | null;
            /**
             * Format: date-time
             * @description Time of the last successful attempt.
             */
            last_dispatched_at: string | null;
            /**
             * Format: date-time
             * @description Time of the last failed attempt.
             */
            last_failure_at: string | null;
            /** @description Result of the attempt at `last_failure_at`. Null once its delivery has been erased. */
            last_failure: {
                /** @description Unique id (UUIDv7). */
                delivery_id: string;
                /** @description Event type, such as `post.published`. */
                type: string;
                /**
                 * Format: int32
                 * @description HTTP status of the response. Null without a response.
                 */
                status: number | null;
                /** @description Reason for the failure. Null if there was a complete response. */
                error: string | null;
            } | null;
            /**
             * Format: date-time
             * @description Time at which the webhook is disabled unless an attempt succeeds first.
             */
            disable_at: string | null;
            /**
             * @description State of the circuit breaker: `closed` (deliveries are sent), `open` (too many consecutive failures; sending is paused) or `half_open` (one delivery is sent as a probe).
             * @enum {string}
             */
            circuit: "closed" | "open" | "half_open";
            /**
             * Format: date-time
             * @description Earliest time of the next probe.
             */
            circuit_until: string | null;
            /**
             * Format: date-time
             * @description End of the overlap after a rotation, until which the previous secret also signs.
             */
            previous_secret_expires_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** @description Secret that signs the deliveries. Returned only in this response; null when the response is replayed for an `Idempotency-Key`. */
            secret: string | null;
        };
        EventType: {
            /** @description Event type, such as `post.published`. */
            type: string;
            /** @description Occasion of the event. */
            description: string;
            /** @description Other names to subscribe with. */
            aliases: string[];
            /** @description JSON Schema of `data`. */
            schema: {
                [key: string]: unknown;
            };
            /** @description Example of a complete payload. */
            example: {
                [key: string]: unknown;
            };
        };
        WebhookChanges: {
            /** @description URL that receives the events as POST requests. */
            url?: string;
            /** @description Event types to send: *, post.created, post.updated, post.deleted, post.published, post.failed, account.disconnected, account.refresh_failed, billing.invoice.paid, team.invitation.accepted, billing.subscription.started, billing.subscription.changed, billing.subscription.canceled, billing.subscription.expired, billing.trial.ending, billing.payment_failed, marketplace.order.created, marketplace.order.accepted, marketplace.order.delivered, marketplace.order.revision_requested, marketplace.order.completed, marketplace.order.canceled, marketplace.order.disputed, webhook.test, publish.success, publish.fail. `*` subscribes to all of them. */
            events?: string[];
            /** @description `true` enables the webhook and closes its circuit breaker. `false` disables it. Held deliveries are sent only by `POST /webhooks/{id}/recover`. */
            active?: boolean;
            /** @description Note for your own use. */
            description?: string | null;
            /** @description Custom headers sent with every delivery, such as `Authorization`. They are stored encrypted and never returned. Setting them replaces all previous ones. */
            headers?: {
                [key: string]: string;
            };
        };
        Attempt: {
            /** @description Unique id (UUIDv7). */
            delivery_id: string;
            /** @description Unique id (UUIDv7). */
            event_id: string;
            /** @description Event type, such as `post.published`. */
            type: string;
            /**
             * Format: date-time
             * @description Time of the attempt.
             */
            at: string;
            /** @description Whether the endpoint responded with a 2xx status. */
            ok: boolean;
            /**
             * Format: int32
             * @description HTTP status of the response. Null without a response.
             */
            status: number | null;
            /**
             * Format: int32
             * @description Duration in milliseconds.
             */
            duration_ms: number;
            /** @description Body of the response, at most its first 16 KB. */
            response: string | null;
            /** @description Reason for the failure. Null if there was a complete response. */
            error: string | null;
        };
        SecretRotation: {
            /**
             * Format: int32
             * @description Seconds for which the previous secret also signs. 0 stops it immediately.
             * @default 86400
             */
            overlap_seconds: number;
        };
        Delivery: {
            /** @description Unique id (UUIDv7). */
            id: string;
            /** @description Id of the event, sent as the header `webhook-id`. */
            event_id: string;
            /** @description Event type, such as `post.published`. */
            type: string;
            /**
             * @description State of the delivery: `waiting` (for its next attempt), `held` (the webhook is disabled), `failed` (ran out of attempts) or `delivered`.
             * @enum {string}
             */
            state: "waiting" | "held" | "failed" | "delivered";
            /**
             * Format: int32
             * @description Number of attempts made.
             */
            attempts: number;
            /**
             * Format: date-time
             * @description Time of the next attempt. Null if none is scheduled.
             */
            next_attempt_at: string | null;
            /**
             * Format: date-time
             * @description Time of the last attempt. Null before the first.
             */
            last_attempt_at: string | null;
            /**
             * Format: int32
             * @description HTTP status of the last attempt. Null without a response.
             */
            last_status: number | null;
            /** @description Reason for the failure of the last attempt. Null if there was a complete response. */
            last_error: string | null;
            /**
             * Format: date-time
             * @description Time at which the event was created.
             */
            created_at: string;
            /** @description Record that the event is about, for display in lists. */
            subject: {
                /** @description Unique id (UUIDv7). */
                id: string;
                /** @description Beginning of the text of a post, handle of an account, or e-mail address of an invitation. */
                text: string;
            } | null;
        };
        DeliveryDetail: {
            /** @description Unique id (UUIDv7). */
            id: string;
            /** @description Id of the event, sent as the header `webhook-id`. */
            event_id: string;
            /** @description Event type, such as `post.published`. */
            type: string;
            /**
             * @description State of the delivery: `waiting` (for its next attempt), `held` (the webhook is disabled), `failed` (ran out of attempts) or `delivered`.
             * @enum {string}
             */
            state: "waiting" | "held" | "failed" | "delivered";
            /**
             * Format: int32
             * @description Number of attempts made.
             */
            attempts: number;
            /**
             * Format: date-time
             * @description Time of the next attempt. Null if none is scheduled.
             */
            next_attempt_at: string | null;
            /**
             * Format: date-time
             * @description Time of the last attempt. Null before the first.
             */
            last_attempt_at: string | null;
            /**
             * Format: int32
             * @description HTTP status of the last attempt. Null without a response.
             */
            last_status: number | null;
            /** @description Reason for the failure of the last attempt. Null if there was a complete response. */
            last_error: string | null;
            /**
             * Format: date-time
             * @description Time at which the event was created.
             */
            created_at: string;
            /** @description Record that the event is about, for display in lists. */
            subject: {
                /** @description Unique id (UUIDv7). */
                id: string;
                /** @description Beginning of the text of a post, handle of an account, or e-mail address of an invitation. */
                text: string;
            } | null;
            /** @description Body of the request, exactly as signed and sent. */
            payload: string;
            /** @description Latest 50 attempts, newest first. */
            attempt_log: {
                /**
                 * Format: int32
                 * @description Number of the attempt, starting at 1.
                 */
                n: number;
                /**
                 * @description Cause of the attempt: `schedule` (the retry schedule), `retry` or `recover` (a member requested it) or `test` (a test event).
                 * @enum {string}
                 */
                trigger: "schedule" | "retry" | "recover" | "test";
                /**
                 * Format: date-time
                 * @description Time of the attempt.
                 */
                at: string;
                /** @description Whether the endpoint responded with a 2xx status. */
                ok: boolean;
                /**
                 * Format: int32
                 * @description HTTP status of the response. Null without a response.
                 */
                status: number | null;
                /**
                 * Format: int32
                 * @description Duration in milliseconds.
                 */
                duration_ms: number;
                /** @description Body of the response, at most its first 16 KB. */
                response: string | null;
                /** @description Reason for the failure. Null if there was a complete response. */
                error: string | null;
            }[];
        };
        Recovery: {
            /**
             * Format: date-time
             * @description Earliest creation time of the events, at most 30 days ago.
             */
            since: string;
        };
        Recovered: {
            /**
             * Format: int32
             * @description Number of deliveries queued.
             */
            queued: number;
            /**
             * Format: int32
             * @description Number of deliveries left for another call. One call queues at most 100,000, oldest first.
             */
            remaining: number;
        };
        WebhookStats: {
            /**
             * @description Period of the statistics.
             * @enum {string}
             */
            period: "24h" | "7d" | "30d";
            /**
             * Format: int32
             * @description Number of successful attempts.
             */
            delivered: number;
            /**
             * Format: int32
             * @description Number of failed attempts.
             */
            failed: number;
            /**
             * Format: int32
             * @description Mean duration of the attempts in milliseconds. Null without attempts.
             */
            mean_duration_ms: number | null;
            /**
             * Format: int32
             * @description Number of deliveries waiting now, counted up to 10,000.
             */
            waiting: number;
            /**
             * Format: int32
             * @description Number of deliveries held now, counted up to 10,000.
             */
            held: number;
            /**
             * Format: int32
             * @description Number of stored deliveries that ran out of attempts, counted up to 10,000.
             */
            exhausted: number;
            /** @description Counts per hour for `24h`, per UTC day otherwise. Oldest first, without gaps. */
            buckets: {
                /** Format: date-time */
                at: string;
                /**
                 * Format: int32
                 * @description Number of successful attempts.
                 */
                delivered: number;
                /**
                 * Format: int32
                 * @description Number of failed attempts.
                 */
                failed: number;
            }[];
        };
        Event: {
            /** @description Unique id (UUIDv7). */
            id: string;
            /** @description Event type, such as `post.published`. */
            type: string;
            /**
             * Format: date-time
             * @description Time at which the event was created.
             */
            timestamp: string;
            /** @description Id of the workspace. */
            workspace_id: string;
            /** @description Data of the event. `GET /webhooks/event-types` returns its schema. */
            data: {
                [key: string]: unknown;
            };
        };
        EventPage: {
            /** @description Events, oldest first. */
            data: components["schemas"]["Event"][];
            /** @description Cursor for the next call. Always present. */
            next_cursor: string;
            /** @description Whether more events are available now. */
            has_more: boolean;
        };
        Option: {
            /** @description Key of the option, such as `app.name`. The API key of an AI model is `ai-model-<id>_api-key`. */
            key: string;
            /** @enum {string} */
            group: "general" | "sign_in" | "mail" | "ai" | "billing" | "marketplace";
            /** @enum {string} */
            type: "boolean" | "integer" | "string" | "text" | "enum" | "secret";
            description: string;
            /** @description Current value. */
            value: boolean | number | string | {
                set: boolean;
                /** @description Last four characters of the secret. Null for secrets shorter than 12 characters. */
                last4: string | null;
            };
            /** @description Value without an override, from the environment or the default. */
            default: boolean | number | string | {
                set: boolean;
                /** @description Last four characters of the secret. Null for secrets shorter than 12 characters. */
                last4: string | null;
            };
            /** @description Environment variable that this option overrides. Null without one. */
            environment: {
                key: string;
                is_set: boolean;
            } | null;
            /**
             * @description Source of `value`.
             * @enum {string}
             */
            source: "default" | "environment" | "override";
            /** @description Allowed values of an `enum`. Null for other types. */
            values: string[] | null;
            /**
             * Format: date-time
             * @description Time of the last change of the override. Null without an override.
             */
            updated_at: string | null;
        };
        OptionValue: {
            /**
             * Format: int32
             * @description New value, of the type in `type`. A secret is set as a string.
             */
            value: boolean | number | string;
        };
        TestMailInput: {
            /**
             * Format: email
             * @description Recipient. Defaults to your own address.
             */
            to?: string;
        };
        TestMail: {
            /** @description Whether the mail server accepted the e-mail. */
            ok: boolean;
            /** @description Response of the mail server, or the reason why it could not be reached. */
            detail: string;
            /**
             * Format: int32
             * @description Duration in milliseconds.
             */
            latency_ms: number;
        };
        Mail: {
            /** @description Unique id (UUIDv7). */
            id: string;
            to_address: string;
            to_name: string;
            /** @description Key of the e-mail, as listed by `GET /email-templates/keys`. */
            key: string;
            locale: string;
            subject: string;
            /** @description Plain text. Emptied after sending if the e-mail contained a personal code or link. */
            body_text: string;
            /** @description HTML. Emptied after sending if the e-mail contained a personal code or link. */
            body_html: string;
            /**
             * @description State of the e-mail: `kept` (no mail server was set when it was written), `queued` (it is being sent), `sent` or `failed` (ran out of attempts).
             * @enum {string}
             */
            state: "kept" | "queued" | "sent" | "failed";
            /**
             * Format: int32
             * @description Number of attempts to send.
             */
            attempts: number;
            /** @description Last error of the mail server. */
            error: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            sent_at: string | null;
        };
        EmailTemplate: {
            /** @description Unique id (UUIDv7). */
            id: string;
            /** @description Key of the e-mail: one listed by `GET /email-templates/keys`, or a key of your own. */
            key: string;
            /** @description Language tag (BCP 47), such as `tr` or `en-GB`. `default` is used for recipients without a template in their language. */
            locale: string;
            /** @description Subject. One line, without invisible characters or characters that change the text direction. */
            subject: string;
            /** @description HTML with placeholders such as `{{user_name}}`. Their values are escaped. */
            body_html: string;
            /** @description Plain text with placeholders. If omitted, it is derived from the HTML. */
            body_text: string | null;
            /** @description Note for your own use. */
            description: string | null;
            /** @description Variables specific to this key that the template does not use. */
            warnings: string[];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        NewEmailTemplate: {
            /** @description Key of the e-mail: one listed by `GET /email-templates/keys`, or a key of your own. */
            key: string;
            /**
             * @description Language tag (BCP 47), such as `tr` or `en-GB`. `default` is used for recipients without a template in their language.
             * @default default
             */
            locale: string;
            /** @description Subject. One line, without invisible characters or characters that change the text direction. */
            subject: string;
            /** @description HTML with placeholders such as `{{user_name}}`. Their values are escaped. */
            body_html: string;
            /** @description Plain text with placeholders. If omitted, it is derived from the HTML. */
            body_text?: string | null;
            /** @description Note for your own use. */
            description?: string | null;
        };
        EmailTemplateKey: {
            /** @description Key of the e-mail: one listed by `GET /email-templates/keys`, or a key of your own. */
            key: string;
            /** @description Purpose of the e-mail. */
            description: string;
            variables: {
                name: string;
                description: string;
                /** @description Sample value, used in previews. */
                sample: string;
            }[];
            /** @description Built-in texts, sent where no template is stored. */
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
            /** @description Key of the e-mail: one listed by `GET /email-templates/keys`, or a key of your own. */
            key?: string;
            /** @description Language tag (BCP 47), such as `tr` or `en-GB`. `default` is used for recipients without a template in their language. */
            locale?: string;
            /** @description Subject. One line, without invisible characters or characters that change the text direction. */
            subject?: string;
            /** @description HTML with placeholders such as `{{user_name}}`. Their values are escaped. */
            body_html?: string;
            /** @description Plain text with placeholders. If omitted, it is derived from the HTML. */
            body_text?: string | null;
            /** @description Note for your own use. */
            description?: string | null;
        };
        EmailTemplateDraft: {
            /** @description Key of the e-mail: one listed by `GET /email-templates/keys`, or a key of your own. */
            key: string;
            /** @description Language tag (BCP 47), such as `tr` or `en-GB`. `default` is used for recipients without a template in their language. */
            locale: string;
            /** @description Subject. One line, without invisible characters or characters that change the text direction. */
            subject: string;
            /** @description HTML with placeholders such as `{{user_name}}`. Their values are escaped. */
            body_html: string;
            /** @description Plain text with placeholders. If omitted, it is derived from the HTML. */
            body_text?: string | null;
            /** @description Values to use instead of the samples. */
            variables?: {
                [key: string]: string;
            };
        };
        EmailTemplatePreview: {
            subject: string;
            body_html: string;
            body_text: string;
            /** @description Variables without a value. They are replaced by nothing. */
            missing: string[];
            /** @description Variables specific to this key that the template does not use. */
            warnings: string[];
        };
        EmailTemplatePreviewInput: {
            /** @description Values to use instead of the samples. */
            variables?: {
                [key: string]: string;
            };
        };
        EmailTemplateTestInput: {
            /**
             * Format: email
             * @description Recipient. Defaults to your own address.
             */
            to?: string;
            /** @description Values to use instead of the samples. */
            variables?: {
                [key: string]: string;
            };
        };
        EmailTemplateTest: {
            /** @description Unique id (UUIDv7). */
            mail_id: string;
            /**
             * @description State of the e-mail in the outbox.
             * @enum {string}
             */
            state: "kept" | "queued" | "sent" | "failed";
        };
        AiModel: {
            /**
             * Format: int32
             * @description Numeric id, counting up from 1.
             */
            id: number;
            /** @description Id that does not reveal the number of models (UUIDv7). */
            id_secure: string;
            /**
             * @description AI provider of the model. `ollama`: your own Ollama server. `custom`: any other server with an OpenAI-compatible API.
             * @enum {string}
             */
            provider: "openai" | "anthropic" | "google" | "xai" | "mistral" | "ollama" | "custom";
            /** @description Name of the model at its provider. */
            model_key: string;
            /** @description Display name of the model. One line, without invisible characters or characters that change the text direction. */
            name: string;
            /**
             * @description Kind of output that the model generates.
             * @enum {string}
             */
            category: "text" | "image" | "video";
            /** @description Category of your own. One line, without invisible characters or characters that change the text direction. */
            type: string | null;
            /** @description Whether the model can be used to generate. */
            is_active: boolean;
            /**
             * @description API of a text model. Only `openai`, `ollama` and `custom` offer `completion`.
             * @enum {string}
             */
            api_type: "chat" | "completion" | "embedding";
            /** @description Parameters of each call of the model. At most 16 KB as JSON. */
            api_params: {
                /**
                 * Format: int32
                 * @description Maximum number of output tokens. Null for the maximum of the provider.
                 * @default 1024
                 */
                max_tokens: number | null;
                /**
                 * @description Sampling temperature. Null omits it, for models that reject it.
                 * @default 0.7
                 */
                temperature: number | null;
                top_p?: number | null;
                /** @description Base URL to use instead of the provider's own. Addresses in private ranges must be allowed by `AI_ALLOW_CIDRS`. */
                base_url?: string | null;
                /** @description Provider-specific settings, passed to the provider's package. */
                provider_options?: {
                    [key: string]: unknown;
                } | null;
            } & {
                [key: string]: unknown;
            };
            /** @description Metadata of your own. At most 16 KB as JSON. */
            meta: {
                [key: string]: unknown;
            };
            /** @description Whether the model has its own API key. Keys are never returned. */
            api_key: {
                set: boolean;
                /** @description Last four characters of the key. Null for keys shorter than 12 characters. */
                last4: string | null;
            };
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        NewAiModel: {
            /**
             * @description AI provider of the model. `ollama`: your own Ollama server. `custom`: any other server with an OpenAI-compatible API.
             * @enum {string}
             */
            provider: "openai" | "anthropic" | "google" | "xai" | "mistral" | "ollama" | "custom";
            /** @description Name of the model at its provider. */
            model_key: string;
            /** @description Display name of the model. One line, without invisible characters or characters that change the text direction. */
            name: string;
            /**
             * @default text
             * @enum {string}
             */
            category: "text" | "image" | "video";
            /** @description Category of your own. One line, without invisible characters or characters that change the text direction. */
            type?: string | null;
            /** @default true */
            is_active: boolean;
            /**
             * @default chat
             * @enum {string}
             */
            api_type: "chat" | "completion" | "embedding";
            /** @description Parameters of each call of the model. At most 16 KB as JSON. */
            api_params?: {
                /**
                 * Format: int32
                 * @description Maximum number of output tokens. Null for the maximum of the provider.
                 * @default 1024
                 */
                max_tokens: number | null;
                /**
                 * @description Sampling temperature. Null omits it, for models that reject it.
                 * @default 0.7
                 */
                temperature: number | null;
                top_p?: number | null;
                /** @description Base URL to use instead of the provider's own. Addresses in private ranges must be allowed by `AI_ALLOW_CIDRS`. */
                base_url?: string | null;
                /** @description Provider-specific settings, passed to the provider's package. */
                provider_options?: {
                    [key: string]: unknown;
                } | null;
            } & {
                [key: string]: unknown;
            };
            /** @description Metadata of your own. At most 16 KB as JSON. */
            meta?: {
                [key: string]: unknown;
            };
        };
        /** @description Model that can be used to generate. */
        ActiveAiModel: {
            /**
             * Format: int32
             * @description Numeric id, counting up from 1.
             */
            id: number;
            /** @description Id that does not reveal the number of models (UUIDv7). */
            id_secure: string;
            /**
             * @description AI provider of the model. `ollama`: your own Ollama server. `custom`: any other server with an OpenAI-compatible API.
             * @enum {string}
             */
            provider: "openai" | "anthropic" | "google" | "xai" | "mistral" | "ollama" | "custom";
            /** @description Name of the model at its provider. */
            model_key: string;
            /** @description Display name of the model. One line, without invisible characters or characters that change the text direction. */
            name: string;
            /**
             * @description Kind of output that the model generates.
             * @enum {string}
             */
            category: "text" | "image" | "video";
            /** @description Category of your own. One line, without invisible characters or characters that change the text direction. */
            type: string | null;
            /**
             * @description API of a text model. Only `openai`, `ollama` and `custom` offer `completion`.
             * @enum {string}
             */
            api_type: "chat" | "completion" | "embedding";
        };
        /** @description Omitted fields do not change. `api_params` and `meta` are replaced as a whole. */
        AiModelChanges: {
            /**
             * @description AI provider of the model. `ollama`: your own Ollama server. `custom`: any other server with an OpenAI-compatible API.
             * @enum {string}
             */
            provider?: "openai" | "anthropic" | "google" | "xai" | "mistral" | "ollama" | "custom";
            /** @description Name of the model at its provider. */
            model_key?: string;
            /** @description Display name of the model. One line, without invisible characters or characters that change the text direction. */
            name?: string;
            /**
             * @description Kind of output that the model generates.
             * @enum {string}
             */
            category?: "text" | "image" | "video";
            /** @description Category of your own. One line, without invisible characters or characters that change the text direction. */
            type?: string | null;
            is_active?: boolean;
            /**
             * @description API of a text model. Only `openai`, `ollama` and `custom` offer `completion`.
             * @enum {string}
             */
            api_type?: "chat" | "completion" | "embedding";
            /** @description Parameters of each call of the model. At most 16 KB as JSON. */
            api_params?: {
                /**
                 * Format: int32
                 * @description Maximum number of output tokens. Null for the maximum of the provider.
                 * @default 1024
                 */
                max_tokens: number | null;
                /**
                 * @description Sampling temperature. Null omits it, for models that reject it.
                 * @default 0.7
                 */
                temperature: number | null;
                top_p?: number | null;
                /** @description Base URL to use instead of the provider's own. Addresses in private ranges must be allowed by `AI_ALLOW_CIDRS`. */
                base_url?: string | null;
                /** @description Provider-specific settings, passed to the provider's package. */
                provider_options?: {
                    [key: string]: unknown;
                } | null;
            } & {
                [key: string]: unknown;
            };
            /** @description Metadata of your own. At most 16 KB as JSON. */
            meta?: {
                [key: string]: unknown;
            };
        };
        AiModelKey: {
            /** @description API key for this model only. Null removes it. */
            api_key: string | null;
        };
        AiModelTestInput: {
            /** @description Prompt of the test. Defaults to a short question. */
            prompt?: string;
        };
        AiModelTest: {
            /** @description Whether the provider returned a usable response. */
            ok: boolean;
            /** @description Output of a text model. */
            text: string | null;
            /**
             * Format: int32
             * @description Duration in milliseconds.
             */
            latency_ms: number;
            usage: {
                /**
                 * Format: int32
                 * @description Number of input tokens.
                 */
                input_tokens: number;
                /**
                 * Format: int32
                 * @description Number of output tokens.
                 */
                output_tokens: number;
            } | null;
            /**
             * @description API key that was used: `model` (its own), `global` (that of its provider) or `none`.
             * @enum {string}
             */
            key_source: "model" | "global" | "none";
            key_last4: string | null;
            /**
             * @description Reason for the failure. Null on success.
             * @enum {string|null}
             */
            error_code: "unauthorized" | "forbidden" | "not_found" | "rate_limited" | "bad_request" | "vendor_error" | "timeout" | "unreachable" | "garbage" | "refused_url" | null;
            /** @description Explanation of the failure. Null on success. */
            detail: string | null;
            /**
             * Format: int32
             * @description Seconds to wait before the next call, as requested by the provider.
             */
            retry_after_s: number | null;
        };
        PublicPlan: {
            /** @description Code of the plan. Unique regardless of case. Cannot be changed. */
            code: string;
            /** @description Name of the plan on the price list. One line, without invisible characters or characters that change the text direction. */
            name: string;
            /** @description Description on the price list, in one or two sentences. */
            description: string;
            /**
             * Format: int32
             * @description Position in lists, in ascending order.
             */
            position: number;
            /** @description Whether the plan is highlighted on the price list. */
            is_featured: boolean;
            /**
             * Format: int32
             * @description Length of the free trial in days. Null for no trial.
             */
            trial_days: number | null;
            /** @description Prices as decimal numbers in major units. */
            prices: {
                /** @description Prices in Turkish lira. */
                try: {
                    /** @description Price per month, with at most two decimals. */
                    monthly: number;
                    /** @description Price per year, with at most two decimals. */
                    yearly: number;
                };
                /** @description Prices in US dollars. Null if the plan is not sold in US dollars. */
                usd: {
                    /** @description Price per month, with at most two decimals. */
                    monthly: number;
                    /** @description Price per year, with at most two decimals. */
                    yearly: number;
                } | null;
            };
            /** @description Limits of the plan. -1 is unlimited. */
            limits: {
                /**
                 * Format: int32
                 * @description Maximum number of connected accounts.
                 */
                social_accounts: number;
                /**
                 * Format: int32
                 * @description Maximum number of posts scheduled or published in a calendar month (UTC).
                 */
                posts_per_month: number;
                /**
                 * Format: int32
                 * @description Maximum number of AI credits in a calendar month (UTC).
                 */
                ai_credits: number;
                /**
                 * Format: int32
                 * @description Maximum number of members, including pending invitations.
                 */
                team_members: number;
                /**
                 * Format: int32
                 * @description Maximum size of all files in MB.
                 */
                storage_mb: number;
                /**
                 * Format: int32
                 * @description Maximum number of scheduled posts at a time.
                 */
                scheduled_posts_max: number;
            };
            /** @description Features as listed on the price list. */
            features: string[];
            /** @description Features that require a plan and are included in this one. */
            entitlements: ("ai.agents" | "approvals" | "audit_log" | "marketplace.sell")[];
        };
        PriceList: {
            data: components["schemas"]["PublicPlan"][];
            /** @description Always null: there is only one page. */
            next_cursor: null;
        };
        Plan: {
            /** @description Code of the plan. Unique regardless of case. Cannot be changed. */
            code: string;
            /** @description Name of the plan on the price list. One line, without invisible characters or characters that change the text direction. */
            name: string;
            /** @description Description on the price list, in one or two sentences. */
            description: string;
            /**
             * Format: int32
             * @description Position in lists, in ascending order.
             */
            position: number;
            /** @description Whether the plan is highlighted on the price list. */
            is_featured: boolean;
            /** @description Whether the plan is on the price list. */
            is_public: boolean;
            /** @description Whether the plan is active. An archived plan is kept by workspaces on it and is not available to others. */
            is_active: boolean;
            /**
             * Format: int32
             * @description Length of the free trial in days. Null for no trial.
             */
            trial_days: number | null;
            /** @description Prices as decimal numbers in major units. */
            prices: {
                /** @description Prices in Turkish lira. */
                try: {
                    /** @description Price per month, with at most two decimals. */
                    monthly: number;
                    /** @description Price per year, with at most two decimals. */
                    yearly: number;
                };
                /** @description Prices in US dollars. Null if the plan is not sold in US dollars. */
                usd: {
                    /** @description Price per month, with at most two decimals. */
                    monthly: number;
                    /** @description Price per year, with at most two decimals. */
                    yearly: number;
                } | null;
            };
            /** @description Limits of the plan. -1 is unlimited. */
            limits: {
                /**
                 * Format: int32
                 * @description Maximum number of connected accounts.
                 */
                social_accounts: number;
                /**
                 * Format: int32
                 * @description Maximum number of posts scheduled or published in a calendar month (UTC).
                 */
                posts_per_month: number;
                /**
                 * Format: int32
                 * @description Maximum number of AI credits in a calendar month (UTC).
                 */
                ai_credits: number;
                /**
                 * Format: int32
                 * @description Maximum number of members, including pending invitations.
                 */
                team_members: number;
                /**
                 * Format: int32
                 * @description Maximum size of all files in MB.
                 */
                storage_mb: number;
                /**
                 * Format: int32
                 * @description Maximum number of scheduled posts at a time.
                 */
                scheduled_posts_max: number;
            };
            /** @description Features as listed on the price list. */
            features: string[];
            /** @description Features that require a plan and are included in this one. */
            entitlements: ("ai.agents" | "approvals" | "audit_log" | "marketplace.sell")[];
            /** @description Metadata of your own, such as the ids of prices at payment processors. At most 16 KB. */
            metadata: {
                [key: string]: string;
            };
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        NewPlan: {
            /** @description Code of the plan. Unique regardless of case. Cannot be changed. */
            code: string;
            /** @description Name of the plan on the price list. One line, without invisible characters or characters that change the text direction. */
            name: string;
            /** @description Description on the price list, in one or two sentences. */
            description?: string;
            /**
             * Format: int32
             * @description Position in lists, in ascending order. Defaults to the last.
             */
            position?: number;
            /** @description Whether the plan is highlighted on the price list. */
            is_featured?: boolean;
            /** @description Whether the plan is on the price list. */
            is_public?: boolean;
            /** @description Whether the plan is active. An archived plan is kept by workspaces on it and is not available to others. */
            is_active?: boolean;
            /**
             * Format: int32
             * @description Length of the free trial in days. Null for no trial.
             */
            trial_days?: number | null;
            /** @description Prices as decimal numbers in major units. */
            prices: {
                /** @description Prices in Turkish lira. */
                try: {
                    /** @description Price per month, with at most two decimals. */
                    monthly: number;
                    /** @description Price per year, with at most two decimals. */
                    yearly: number;
                };
                /** @description Prices in US dollars. Null if the plan is not sold in US dollars. */
                usd: {
                    /** @description Price per month, with at most two decimals. */
                    monthly: number;
                    /** @description Price per year, with at most two decimals. */
                    yearly: number;
                } | null;
            };
            /** @description Limits of the plan. -1 is unlimited. */
            limits: {
                /**
                 * Format: int32
                 * @description Maximum number of connected accounts.
                 */
                social_accounts: number;
                /**
                 * Format: int32
                 * @description Maximum number of posts scheduled or published in a calendar month (UTC).
                 */
                posts_per_month: number;
                /**
                 * Format: int32
                 * @description Maximum number of AI credits in a calendar month (UTC).
                 */
                ai_credits: number;
                /**
                 * Format: int32
                 * @description Maximum number of members, including pending invitations.
                 */
                team_members: number;
                /**
                 * Format: int32
                 * @description Maximum size of all files in MB.
                 */
                storage_mb: number;
                /**
                 * Format: int32
                 * @description Maximum number of scheduled posts at a time.
                 */
                scheduled_posts_max: number;
            };
            /** @description Features as listed on the price list. */
            features?: string[];
            /** @description Features that require a plan and are included in this one. */
            entitlements?: ("ai.agents" | "approvals" | "audit_log" | "marketplace.sell")[];
            /** @description Metadata of your own, such as the ids of prices at payment processors. At most 16 KB. */
            metadata?: {
                [key: string]: string;
            };
        };
        PlanOrder: {
            /** @description Codes of all plans in the new order, each once. */
            codes: string[];
        };
        PlanChanges: {
            /** @description Name of the plan on the price list. One line, without invisible characters or characters that change the text direction. */
            name?: string;
            /** @description Description on the price list, in one or two sentences. */
            description?: string;
            /**
             * Format: int32
             * @description Position in lists, in ascending order.
             */
            position?: number;
            /** @description Whether the plan is highlighted on the price list. */
            is_featured?: boolean;
            /** @description Whether the plan is on the price list. */
            is_public?: boolean;
            /** @description `true` restores an archived plan. `false` archives the plan. */
            is_active?: boolean;
            /**
             * Format: int32
             * @description Length of the free trial in days. Null for no trial.
             */
            trial_days?: number | null;
            /** @description Prices as decimal numbers in major units. */
            prices?: {
                /** @description Prices in Turkish lira. */
                try: {
                    /** @description Price per month, with at most two decimals. */
                    monthly: number;
                    /** @description Price per year, with at most two decimals. */
                    yearly: number;
                };
                /** @description Prices in US dollars. Null if the plan is not sold in US dollars. */
                usd: {
                    /** @description Price per month, with at most two decimals. */
                    monthly: number;
                    /** @description Price per year, with at most two decimals. */
                    yearly: number;
                } | null;
            };
            /** @description Limits of the plan. -1 is unlimited. */
            limits?: {
                /**
                 * Format: int32
                 * @description Maximum number of connected accounts.
                 */
                social_accounts: number;
                /**
                 * Format: int32
                 * @description Maximum number of posts scheduled or published in a calendar month (UTC).
                 */
                posts_per_month: number;
                /**
                 * Format: int32
                 * @description Maximum number of AI credits in a calendar month (UTC).
                 */
                ai_credits: number;
                /**
                 * Format: int32
                 * @description Maximum number of members, including pending invitations.
                 */
                team_members: number;
                /**
                 * Format: int32
                 * @description Maximum size of all files in MB.
                 */
                storage_mb: number;
                /**
                 * Format: int32
                 * @description Maximum number of scheduled posts at a time.
                 */
                scheduled_posts_max: number;
            };
            /** @description Features as listed on the price list. */
            features?: string[];
            /** @description Features that require a plan and are included in this one. */
            entitlements?: ("ai.agents" | "approvals" | "audit_log" | "marketplace.sell")[];
            /** @description Metadata of your own, such as the ids of prices at payment processors. At most 16 KB. */
            metadata?: {
                [key: string]: string;
            };
        };
        Invoice: {
            /** @description Unique id (UUIDv7). */
            id: string;
            /** @description Number, without gaps for each prefix and year. */
            number: string;
            /**
             * @description Kind: `invoice`, or `credit_note` for a refund; its amounts are negative, or positive if it takes back the note of a refund that failed.
             * @enum {string}
             */
            kind: "invoice" | "credit_note";
            /**
             * @description Status: `open`, `paid` or `void`. A credit note is `paid`.
             * @enum {string}
             */
            status: "open" | "paid" | "void";
            /** @description Id of the invoice that a credit note corrects. Null for an invoice. */
            corrects: string | null;
            /** @description Number of that invoice. */
            corrects_number: string | null;
            /** @description Id of the subscription. Null if it is for none. */
            subscription_id: string | null;
            /** @description Id of the payment. Null while the invoice is open. */
            payment_id: string | null;
            /**
             * @description Currency of the amounts.
             * @enum {string}
             */
            currency: "TRY" | "USD";
            /** @description Amount to pay, VAT included. Negative on a credit note. */
            total: number;
            /** @description VAT in percent. */
            vat_percent: number;
            /** @description VAT inside the total. Negative on a credit note. */
            vat_amount: number;
            /** @description Total without VAT. Negative on a credit note. */
            net_amount: number;
            /** @description Amount that credit notes gave back, VAT included. */
            credited: number;
            /** @description Lines. Their amounts add up to the total. */
            lines: {
                /** @description Description of the sale or refund. */
                description: string;
                /** @description Name of the plan. Null if the line is for no plan. */
                plan_name: string | null;
                /** @description Amount, VAT included. Negative on a credit note. */
                amount: number;
                /** @description VAT inside the amount. Negative on a credit note. */
                vat_amount: number;
            }[];
            /** @description The seller at the time of issue. */
            seller: {
                /** @description Name of the seller. */
                name: string;
                /** @description Address. */
                address: string | null;
                /** @description Tax office. */
                tax_office: string | null;
                /** @description Tax number. */
                tax_id: string | null;
            };
            /** @description The buyer at the time of issue. */
            buyer: {
                /** @description Name on the billing address, or the name of the workspace. */
                name: string;
                /** @description First line of the address. */
                line1?: string;
                /** @description Second line of the address. */
                line2?: string;
                /** @description Postal code. */
                postal?: string;
                /** @description City. */
                city?: string;
                /** @description Country. */
                country?: string;
                /** @description Tax number. */
                tax_id?: string;
            };
            /**
             * @description Language of the document.
             * @enum {string}
             */
            language: "en" | "tr";
            /**
             * Format: date-time
             * @description Start of the period that is paid. Null for no period.
             */
            period_start: string | null;
            /**
             * Format: date-time
             * @description End of the period that is paid. Null for no period.
             */
            period_end: string | null;
            /**
             * Format: date-time
             * @description Time of issue. The number has its year in Turkey.
             */
            issued_at: string;
            /**
             * Format: date-time
             * @description Time by which the invoice is to be paid. Null if it was paid at once.
             */
            due_at: string | null;
            /**
             * Format: date-time
             * @description Time of the payment. Null while the invoice is unpaid.
             */
            paid_at: string | null;
            /**
             * Format: date-time
             * @description Time at which the invoice became void. Null if it is not void.
             */
            voided_at: string | null;
            /** @description ETTN of the official e-Fatura or e-Arşiv document. */
            ettn: string | null;
            /** @description Number of the official e-Fatura or e-Arşiv document. One line, without invisible characters or characters that change the text direction. */
            official_number: string | null;
        };
        AdminInvoice: {
            /** @description Unique id (UUIDv7). */
            id: string;
            /** @description Number, without gaps for each prefix and year. */
            number: string;
            /**
             * @description Kind: `invoice`, or `credit_note` for a refund; its amounts are negative, or positive if it takes back the note of a refund that failed.
             * @enum {string}
             */
            kind: "invoice" | "credit_note";
            /**
             * @description Status: `open`, `paid` or `void`. A credit note is `paid`.
             * @enum {string}
             */
            status: "open" | "paid" | "void";
            /** @description Id of the invoice that a credit note corrects. Null for an invoice. */
            corrects: string | null;
            /** @description Number of that invoice. */
            corrects_number: string | null;
            /** @description Id of the subscription. Null if it is for none. */
            subscription_id: string | null;
            /** @description Id of the payment. Null while the invoice is open. */
            payment_id: string | null;
            /**
             * @description Currency of the amounts.
             * @enum {string}
             */
            currency: "TRY" | "USD";
            /** @description Amount to pay, VAT included. Negative on a credit note. */
            total: number;
            /** @description VAT in percent. */
            vat_percent: number;
            /** @description VAT inside the total. Negative on a credit note. */
            vat_amount: number;
            /** @description Total without VAT. Negative on a credit note. */
            net_amount: number;
            /** @description Amount that credit notes gave back, VAT included. */
            credited: number;
            /** @description Lines. Their amounts add up to the total. */
            lines: {
                /** @description Description of the sale or refund. */
                description: string;
                /** @description Name of the plan. Null if the line is for no plan. */
                plan_name: string | null;
                /** @description Amount, VAT included. Negative on a credit note. */
                amount: number;
                /** @description VAT inside the amount. Negative on a credit note. */
                vat_amount: number;
            }[];
            /** @description The seller at the time of issue. */
            seller: {
                /** @description Name of the seller. */
                name: string;
                /** @description Address. */
                address: string | null;
                /** @description Tax office. */
                tax_office: string | null;
                /** @description Tax number. */
                tax_id: string | null;
            };
            /** @description The buyer at the time of issue. */
            buyer: {
                /** @description Name on the billing address, or the name of the workspace. */
                name: string;
                /** @description First line of the address. */
                line1?: string;
                /** @description Second line of the address. */
                line2?: string;
                /** @description Postal code. */
                postal?: string;
                /** @description City. */
                city?: string;
                /** @description Country. */
                country?: string;
                /** @description Tax number. */
                tax_id?: string;
            };
            /**
             * @description Language of the document.
             * @enum {string}
             */
            language: "en" | "tr";
            /**
             * Format: date-time
             * @description Start of the period that is paid. Null for no period.
             */
            period_start: string | null;
            /**
             * Format: date-time
             * @description End of the period that is paid. Null for no period.
             */
            period_end: string | null;
            /**
             * Format: date-time
             * @description Time of issue. The number has its year in Turkey.
             */
            issued_at: string;
            /**
             * Format: date-time
             * @description Time by which the invoice is to be paid. Null if it was paid at once.
             */
            due_at: string | null;
            /**
             * Format: date-time
             * @description Time of the payment. Null while the invoice is unpaid.
             */
            paid_at: string | null;
            /**
             * Format: date-time
             * @description Time at which the invoice became void. Null if it is not void.
             */
            voided_at: string | null;
            /** @description ETTN of the official e-Fatura or e-Arşiv document. */
            ettn: string | null;
            /** @description Number of the official e-Fatura or e-Arşiv document. One line, without invisible characters or characters that change the text direction. */
            official_number: string | null;
            /** @description Id of the workspace. Null if it no longer exists. */
            workspace_id: string | null;
        };
        OfficialInvoice: {
            /** @description ETTN of the official e-Fatura or e-Arşiv document. */
            ettn?: string | null;
            /** @description Number of the official e-Fatura or e-Arşiv document. One line, without invisible characters or characters that change the text direction. */
            official_number?: string | null;
        };
        Usage: {
            /** @description Plan of the workspace. Null if plans are not applied on this instance. */
            plan: {
                code: string;
                name: string;
            } | null;
            /**
             * @description Status of the subscription in force, or of the last one. Null if there never was one.
             * @enum {string|null}
             */
            subscription_status: "trialing" | "active" | "past_due" | "canceled" | "expired" | null;
            /** @description Whether plans are applied. If false, there are no limits and every feature is included. */
            billing_enabled: boolean;
            /**
             * Format: date-time
             * @description Start of the current calendar month (UTC), in which monthly limits are counted.
             */
            period_start: string;
            /**
             * Format: date-time
             * @description Start of the next calendar month (UTC), when monthly usage resets.
             */
            period_end: string;
            meters: {
                /** @enum {string} */
                meter: "social_accounts" | "posts_per_month" | "scheduled_posts_max" | "ai_credits" | "team_members" | "storage_mb";
                /** Format: int32 */
                used: number;
                /**
                 * Format: int32
                 * @description Maximum. -1 is unlimited.
                 */
                limit: number;
                /**
                 * Format: date-time
                 * @description Time since which more exists than the plan allows. Nothing is deleted, and nothing can be added. 14 days after it, accounts over their limit are paused, the latest connected first. Null within the limit, and for monthly limits.
                 */
                over_since: string | null;
            }[];
        };
        /** @description The person who pays. Sent to the provider and not stored. iyzico requires all of it. */
        Buyer: {
            /** @description First name. */
            name?: string;
            /** @description Last name. */
            surname?: string;
            /** @description Phone number in international form. */
            phone?: string;
            /** @description National identity number, or passport number. */
            identity_number?: string;
        };
        NewCheckout: {
            /** @description Code of the plan. */
            plan_code: string;
            /**
             * @description Length of a period.
             * @enum {string}
             */
            period: "monthly" | "yearly";
            /**
             * @description Currency (ISO 4217).
             * @enum {string}
             */
            currency: "TRY" | "USD";
            buyer?: components["schemas"]["Buyer"];
        };
        Checkout: {
            /** @description Unique id (UUIDv7). */
            id: string;
            /**
             * @description Purpose: `start` (a new subscription), `renewal` (the next period of one that Meydan renews), `change` (to another plan now) or `order` (of a gig).
             * @enum {string}
             */
            purpose: "start" | "renewal" | "change" | "order";
            /**
             * @description Payment provider.
             * @enum {string}
             */
            provider: "manual" | "stripe" | "iyzico" | "paytr";
            /**
             * @description How to pay: open `url` (`redirect`, `hosted`), show it in a frame (`iframe`), or wait until an instance admin approves the payment (`payment_request`). `none`: nothing is paid.
             * @enum {string}
             */
            kind: "redirect" | "hosted" | "iframe" | "payment_request" | "none";
            /**
             * @description Status.
             * @enum {string}
             */
            status: "open" | "completed" | "expired" | "failed";
            /** @description Reason of the failure. Null without one. */
            failure: string | null;
            /** @description URL to pay at. Null if the checkout has none or has ended. */
            url: string | null;
            /** @description How to pay a payment request. Null for other kinds. */
            instructions: string | null;
            /** @description Code of the plan. Null for an order. */
            plan_code: string | null;
            /**
             * @description Length of a period. Null for an order.
             * @enum {string|null}
             */
            period: "monthly" | "yearly" | null;
            /** @description Title of the ordered gig. Null for a plan. */
            description: string | null;
            /** @description Id of the order. Null for a plan. */
            order_id: string | null;
            /**
             * @description Currency (ISO 4217).
             * @enum {string}
             */
            currency: "TRY" | "USD";
            /** @description Amount to pay, VAT included, with at most two decimals. */
            amount: number;
            /**
             * Format: int32
             * @description Days of the trial before the first payment. 0 without a trial.
             */
            trial_days: number;
            /** Format: date-time */
            expires_at: string;
            /** Format: date-time */
            completed_at: string | null;
            /** Format: date-time */
            created_at: string;
        };
        CheckoutTerms: {
            /**
             * @description Payment provider.
             * @enum {string}
             */
            provider: "manual" | "stripe" | "iyzico" | "paytr";
            /** @description Whether the provider has all of its settings. */
            is_configured: boolean;
            /** @description Whether the provider charges later periods. If not, the workspace pays each of them by a link. */
            renews: boolean;
            /** @description Whether a checkout begins with the trial of the plan. */
            trial: boolean;
            /** @description Code of the plan of workspaces without a subscription. */
            default_plan: string;
            /** @description Fields of `buyer` that the provider requires. */
            requires: ("name" | "surname" | "phone" | "identity_number")[];
        };
        Subscription: {
            /** @description Unique id (UUIDv7). */
            id: string;
            /** @description Id of the workspace. Null after its deletion. */
            workspace_id: string | null;
            /** @description Code of the plan. */
            plan_code: string;
            /**
             * @description Status. `trialing`, `active` and `past_due` subscriptions are in force. `canceled`: ended on request. `expired`: ended unpaid.
             * @enum {string}
             */
            status: "trialing" | "active" | "past_due" | "canceled" | "expired";
            /**
             * Format: date-time
             * @description End of the trial. Null if there was none.
             */
            trial_end: string | null;
            /** Format: date-time */
            current_period_start: string;
            /** Format: date-time */
            current_period_end: string;
            /**
             * @description Currency (ISO 4217).
             * @enum {string}
             */
            billing_currency: "TRY" | "USD";
            /**
             * @description Length of a period.
             * @enum {string}
             */
            billing_period: "monthly" | "yearly";
            /** @description Price of a period, VAT included, with at most two decimals. */
            amount: number;
            /** @description Whether the subscription ends with the current period. */
            cancel_at_period_end: boolean;
            /**
             * Format: date-time
             * @description Time of the cancellation. Null if it was not canceled.
             */
            cancel_requested_at: string | null;
            /** @description Plan that applies from the next period. Null for no change. */
            pending_plan_code: string | null;
            /**
             * @description Length of a period.
             * @enum {string|null}
             */
            pending_period: "monthly" | "yearly" | null;
            /**
             * Format: date-time
             * @description Time at which the subscription expires unless it is paid. Null unless `past_due`.
             */
            past_due_deadline: string | null;
            /**
             * Format: date-time
             * @description Time of the end. Null while the subscription is in force.
             */
            ended_at: string | null;
            /**
             * @description Payment provider.
             * @enum {string}
             */
            provider: "manual" | "stripe" | "iyzico" | "paytr";
            /** @description Id of the subscription at the provider. Null if it has none, and for members who are not admins. */
            provider_subscription_id: string | null;
            /** @description Id of the customer at the provider. Null if it has none, and for members who are not admins. */
            provider_customer_id: string | null;
            /** @description URL to pay what is open. Null if there is nothing to pay, and for members who are not admins. */
            pay_url: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        PlanChange: {
            /** @description Code of the plan. */
            plan_code: string;
            /**
             * @description Length of a period.
             * @enum {string}
             */
            period?: "monthly" | "yearly";
            buyer?: components["schemas"]["Buyer"];
            /** @description Amounts of the preview that were shown. They are charged for 15 minutes; 409 `price_changed` if they have changed. */
            shown?: {
                /** @description Amount charged now, VAT included, with at most two decimals. */
                amount_due: number;
                /** @description Price of each later period, VAT included, with at most two decimals. */
                renewal_amount: number;
                /**
                 * Format: date-time
                 * @description `priced_at` of the preview.
                 */
                priced_at: string;
            };
        };
        ChangedPlan: {
            subscription: components["schemas"]["Subscription"];
            checkout: {
                /** @description Unique id (UUIDv7). */
                id: string;
                /**
                 * @description Purpose: `start` (a new subscription), `renewal` (the next period of one that Meydan renews), `change` (to another plan now) or `order` (of a gig).
                 * @enum {string}
                 */
                purpose: "start" | "renewal" | "change" | "order";
                /**
                 * @description Payment provider.
                 * @enum {string}
                 */
                provider: "manual" | "stripe" | "iyzico" | "paytr";
                /**
                 * @description How to pay: open `url` (`redirect`, `hosted`), show it in a frame (`iframe`), or wait until an instance admin approves the payment (`payment_request`). `none`: nothing is paid.
                 * @enum {string}
                 */
                kind: "redirect" | "hosted" | "iframe" | "payment_request" | "none";
                /**
                 * @description Status.
                 * @enum {string}
                 */
                status: "open" | "completed" | "expired" | "failed";
                /** @description Reason of the failure. Null without one. */
                failure: string | null;
                /** @description URL to pay at. Null if the checkout has none or has ended. */
                url: string | null;
                /** @description How to pay a payment request. Null for other kinds. */
                instructions: string | null;
                /** @description Code of the plan. Null for an order. */
                plan_code: string | null;
                /**
                 * @description Length of a period. Null for an order.
                 * @enum {string|null}
                 */
                period: "monthly" | "yearly" | null;
                /** @description Title of the ordered gig. Null for a plan. */
                description: string | null;
                /** @description Id of the order. Null for a plan. */
                order_id: string | null;
                /**
                 * @description Currency (ISO 4217).
                 * @enum {string}
                 */
                currency: "TRY" | "USD";
                /** @description Amount to pay, VAT included, with at most two decimals. */
                amount: number;
                /**
                 * Format: int32
                 * @description Days of the trial before the first payment. 0 without a trial.
                 */
                trial_days: number;
                /** Format: date-time */
                expires_at: string;
                /** Format: date-time */
                completed_at: string | null;
                /** Format: date-time */
                created_at: string;
            } | null;
        };
        PlanChangePreview: {
            /**
             * @description Time at which the plan changes.
             * @enum {string}
             */
            applies: "now" | "at_renewal";
            /**
             * @description Currency (ISO 4217).
             * @enum {string}
             */
            currency: "TRY" | "USD";
            /** @description Amount charged now, VAT included, with at most two decimals. */
            amount_due: number;
            /** @description Price of each later period, VAT included, with at most two decimals. */
            renewal_amount: number;
            /**
             * @description Length of a period.
             * @enum {string}
             */
            renewal_period: "monthly" | "yearly";
            /**
             * Format: date-time
             * @description Time of the next payment. Null if a new period begins with the payment of now.
             */
            renews_at: string | null;
            /**
             * Format: date-time
             * @description Time as of which the unused time is counted.
             */
            priced_at: string;
        };
        PaymentMethod: {
            /** @description Kind of card, such as `visa`. Null if unknown. */
            brand: string | null;
            /** @description Last four digits. Null if unknown. */
            last4: string | null;
            /** @description Month in which the card expires, such as `2028-04`. */
            expires: string | null;
            /** @description URL at which the payment method is changed. Null if the provider has none. */
            update_url: string | null;
        };
        PaymentRequest: {
            /** @description Unique id (UUIDv7). */
            id: string;
            /** @description Id of the checkout that it pays. */
            checkout_id: string;
            /** @description Unique id (UUIDv7). */
            workspace_id: string;
            workspace_name: string;
            /** @description Id of the order that it pays. Null for a plan. */
            order_id: string | null;
            /** @description Code of the plan that it pays. Null for an order. */
            plan_code: string | null;
            /** @description Amount, VAT included, with at most two decimals. */
            amount: number;
            /**
             * @description Currency (ISO 4217).
             * @enum {string}
             */
            currency: "TRY" | "USD";
            /**
             * @description Status. `withdrawn`: the workspace chose something else or canceled.
             * @enum {string}
             */
            status: "pending" | "approved" | "rejected" | "expired" | "withdrawn";
            note: string | null;
            /** @description Reference of the transfer. Null without one. */
            reference: string | null;
            /** @description Id of the instance admin who decided. */
            decided_by: string | null;
            /** Format: date-time */
            decided_at: string | null;
            /** @description Reason of a rejection. */
            reason: string | null;
            /** Format: date-time */
            created_at: string;
        };
        Approval: {
            /** @description Reference of the transfer. */
            reference?: string;
        };
        Rejection: {
            /** @description Reason, shown to the workspace. */
            reason: string;
        };
        AdminSubscription: {
            /** @description Unique id (UUIDv7). */
            id: string;
            /** @description Id of the workspace. Null after its deletion. */
            workspace_id: string | null;
            /** @description Code of the plan. */
            plan_code: string;
            /**
             * @description Status. `trialing`, `active` and `past_due` subscriptions are in force. `canceled`: ended on request. `expired`: ended unpaid.
             * @enum {string}
             */
            status: "trialing" | "active" | "past_due" | "canceled" | "expired";
            /**
             * Format: date-time
             * @description End of the trial. Null if there was none.
             */
            trial_end: string | null;
            /** Format: date-time */
            current_period_start: string;
            /** Format: date-time */
            current_period_end: string;
            /**
             * @description Currency (ISO 4217).
             * @enum {string}
             */
            billing_currency: "TRY" | "USD";
            /**
             * @description Length of a period.
             * @enum {string}
             */
            billing_period: "monthly" | "yearly";
            /** @description Price of a period, VAT included, with at most two decimals. */
            amount: number;
            /** @description Whether the subscription ends with the current period. */
            cancel_at_period_end: boolean;
            /**
             * Format: date-time
             * @description Time of the cancellation. Null if it was not canceled.
             */
            cancel_requested_at: string | null;
            /** @description Plan that applies from the next period. Null for no change. */
            pending_plan_code: string | null;
            /**
             * @description Length of a period.
             * @enum {string|null}
             */
            pending_period: "monthly" | "yearly" | null;
            /**
             * Format: date-time
             * @description Time at which the subscription expires unless it is paid. Null unless `past_due`.
             */
            past_due_deadline: string | null;
            /**
             * Format: date-time
             * @description Time of the end. Null while the subscription is in force.
             */
            ended_at: string | null;
            /**
             * @description Payment provider.
             * @enum {string}
             */
            provider: "manual" | "stripe" | "iyzico" | "paytr";
            /** @description Id of the subscription at the provider. Null if it has none, and for members who are not admins. */
            provider_subscription_id: string | null;
            /** @description Id of the customer at the provider. Null if it has none, and for members who are not admins. */
            provider_customer_id: string | null;
            /** @description URL to pay what is open. Null if there is nothing to pay, and for members who are not admins. */
            pay_url: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            workspace_name: string | null;
        };
        Extension: {
            /**
             * Format: int32
             * @description Days added to the period.
             */
            days: number;
        };
        BillingOverview: {
            /** @description Price of a month of all active and past due subscriptions, a yearly one counted as a twelfth. VAT included. */
            monthly_recurring_revenue: {
                /** @description Lira, with at most two decimals. */
                TRY: number;
                /** @description US dollars, with at most two decimals. */
                USD: number;
            };
            /** @description Subscriptions in force by plan and status. */
            live: {
                /** @description Code of the plan. */
                plan_code: string;
                /**
                 * @description Status. `trialing`, `active` and `past_due` subscriptions are in force. `canceled`: ended on request. `expired`: ended unpaid.
                 * @enum {string}
                 */
                status: "trialing" | "active" | "past_due" | "canceled" | "expired";
                /**
                 * Format: int32
                 * @description Subscriptions.
                 */
                count: number;
            }[];
            /** @description The last twelve months, the current one last. */
            months: {
                /** @description Month (UTC). */
                month: string;
                /**
                 * Format: int32
                 * @description Subscriptions that began.
                 */
                started: number;
                /**
                 * Format: int32
                 * @description Subscriptions that ended.
                 */
                ended: number;
                /**
                 * Format: int32
                 * @description Subscriptions in force when the month began.
                 */
                live_at_start: number;
                /** @description Price of a month of the subscriptions in force when the month ended, or now, at their last price. VAT included. */
                recurring: {
                    /** @description Lira, with at most two decimals. */
                    TRY: number;
                    /** @description US dollars, with at most two decimals. */
                    USD: number;
                };
                /** @description Payments minus refunds. */
                received: {
                    /** @description Lira, with at most two decimals. */
                    TRY: number;
                    /** @description US dollars, with at most two decimals. */
                    USD: number;
                };
            }[];
            /** @description Price of a period of all past due subscriptions. */
            unpaid: {
                /** @description Lira, with at most two decimals. */
                TRY: number;
                /** @description US dollars, with at most two decimals. */
                USD: number;
            };
            /**
             * Format: int32
             * @description Payments that granted nothing and could not be refunded by Meydan.
             */
            unapplied_payments: number;
            /** @description The last subscriptions that differed from their provider at night, and were changed to its state. */
            repaired: {
                /** Format: date-time */
                at: string;
                /** @description Unique id (UUIDv7). */
                subscription_id: string;
                workspace_name: string | null;
                /**
                 * @description Status. `trialing`, `active` and `past_due` subscriptions are in force. `canceled`: ended on request. `expired`: ended unpaid.
                 * @enum {string}
                 */
                status_before: "trialing" | "active" | "past_due" | "canceled" | "expired";
                /**
                 * @description Status. `trialing`, `active` and `past_due` subscriptions are in force. `canceled`: ended on request. `expired`: ended unpaid.
                 * @enum {string}
                 */
                status: "trialing" | "active" | "past_due" | "canceled" | "expired";
            }[];
            /**
             * Format: int32
             * @description Payment requests that wait for a decision.
             */
            pending_payment_requests: number;
            /** @description Subscriptions that ended, and that their provider has not ended yet. They are retried. */
            failed_ends: {
                /** @description Id of the subscription that ended here. */
                subscription_id: string | null;
                /** @description Its id at the provider, if it never began here. */
                provider_subscription_id: string | null;
                /** @description The last error of the provider. */
                error: string | null;
            }[];
            /** @description Refunds that are pending, disputes that are open, and refunds that failed in the last 30 days, the newest first. */
            open_refunds: {
                /** @description Unique id (UUIDv7). */
                id: string;
                /** @description Unique id (UUIDv7). */
                payment_id: string;
                /** @description Amount, with at most two decimals. */
                amount: number;
                /**
                 * @description Status.
                 * @enum {string}
                 */
                status: "pending" | "succeeded" | "failed";
                reason: string | null;
                /** @description Reason of the provider. Null unless failed. */
                failure: string | null;
                /** Format: date-time */
                created_at: string;
                /** Format: date-time */
                settled_at: string | null;
                /** @description The payer disputes the payment with the bank. */
                is_dispute: boolean;
                /**
                 * @description Currency (ISO 4217).
                 * @enum {string}
                 */
                currency: "TRY" | "USD";
                /** @description Unique id (UUIDv7). */
                workspace_id: string | null;
                workspace_name: string | null;
                /** @description Id of the invoice that was paid. */
                invoice_id: string | null;
                /** @description Its number. */
                invoice_number: string | null;
            }[];
        };
        RefundInput: {
            /** @description Amount to refund. Omit it for all that is left, with at most two decimals. */
            amount?: number;
            /** @description Reason, shown to the workspace. */
            reason: string;
        };
        Refund: {
            /** @description Unique id (UUIDv7). */
            id: string;
            /** @description Unique id (UUIDv7). */
            payment_id: string;
            /** @description Amount, with at most two decimals. */
            amount: number;
            /**
             * @description Status.
             * @enum {string}
             */
            status: "pending" | "succeeded" | "failed";
            reason: string | null;
            /** @description Reason of the provider. Null unless failed. */
            failure: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            settled_at: string | null;
        };
        BillingTest: {
            /**
             * @description Payment provider.
             * @enum {string}
             */
            provider: "manual" | "stripe" | "iyzico" | "paytr";
            /** @description Whether the provider accepted the call. */
            ok: boolean;
            /** @description The account at the provider, or the reason of the failure. */
            message: string;
            /** @description Options that the provider requires and that are not set. */
            missing: string[];
        };
        LedgerAccount: {
            /** @description Unique id (UUIDv7). */
            id: string;
            /**
             * @description Kind of the account.
             * @enum {string}
             */
            kind: "provider_clearing" | "subscription_revenue" | "vat_payable" | "unapplied_payments" | "escrow" | "refunds_payable" | "seller_pending" | "seller_available" | "seller_debt" | "platform_fee" | "payout_clearing" | "bank";
            /** @description Payment provider of a `provider_clearing` account. Empty: there is one account of the kind. */
            owner: string;
            /**
             * @description Currency (ISO 4217).
             * @enum {string}
             */
            currency: "TRY" | "USD";
            /** @description Sum of its entries. Negative for money at a provider, in major units. */
            balance: number;
            /** Format: date-time */
            created_at: string;
        };
        LedgerTransaction: {
            /** @description Unique id (UUIDv7). */
            id: string;
            /** @description Reason of the transaction. */
            kind: string;
            /** @description Id of the record that moved the money, such as a payment or refund. */
            reference: string;
            /** @description Id of the transaction that it takes back. Null for others. */
            reverses: string | null;
            /** @description Entries. They sum to zero in each currency. */
            entries: {
                /** @description Unique id (UUIDv7). */
                account_id: string;
                /**
                 * @description Kind of the account.
                 * @enum {string}
                 */
                kind: "provider_clearing" | "subscription_revenue" | "vat_payable" | "unapplied_payments" | "escrow" | "refunds_payable" | "seller_pending" | "seller_available" | "seller_debt" | "platform_fee" | "payout_clearing" | "bank";
                /** @description Payment provider of a `provider_clearing` account. Empty: there is one account of the kind. */
                owner: string;
                /**
                 * @description Currency (ISO 4217).
                 * @enum {string}
                 */
                currency: "TRY" | "USD";
                /** @description Positive: credited. Negative: debited, in major units. */
                amount: number;
                /** @description Balance of the account after it, in major units. */
                balance_after: number;
            }[];
            /** Format: date-time */
            occurred_at: string;
            /** Format: date-time */
            created_at: string;
        };
        LedgerReport: {
            /** @description Whether the ledger adds up. */
            ok: boolean;
            /** @description Problems found, a limited number for each rule. Empty when it adds up. */
            problems: {
                /** @description Rule that is broken. */
                code: string;
                /** @description Records and amounts, in minor units. */
                detail: string;
            }[];
        };
        TextPrompt: {
            /** @description Prompt for the model. */
            prompt: string;
            /** @description System prompt: instructions on how to respond. */
            system?: string;
            /** @description Id of an image of the workspace, which the model sees with the prompt. Requires a model that accepts images. Larger images are sent with at most 1,568 pixels a side. */
            media_id?: string;
            /**
             * Format: int32
             * @description Id of the model, either `id` or `id_secure`. Defaults to the first active model of the default provider, or else to the first active model.
             */
            model?: number | string;
            /**
             * Format: int32
             * @description Defaults to the setting of the model.
             */
            max_output_tokens?: number;
            /** @description Defaults to the setting of the model. */
            temperature?: number;
        };
        GeneratedText: {
            /** @description Unique id (UUIDv7). */
            id: string;
            /**
             * @description Reason why the text ends. `length`: it reached `max_output_tokens`.
             * @enum {string}
             */
            finish_reason: "stop" | "length" | "content-filter" | "tool-calls" | "other";
            model: {
                /**
                 * Format: int32
                 * @description Numeric id of the model.
                 */
                id: number;
                /** @description Unique id (UUIDv7). */
                id_secure: string;
                name: string;
            };
            usage: {
                /**
                 * Format: int32
                 * @description Number of input tokens.
                 */
                input_tokens: number | null;
                /**
                 * Format: int32
                 * @description Number of output tokens.
                 */
                output_tokens: number | null;
            };
            /**
             * Format: int32
             * @description Number of AI credits charged.
             */
            credits: number;
            /** @description Generated text. */
            text: string;
        };
        ImagePrompt: {
            /** @description Prompt for the model. */
            prompt: string;
            /**
             * Format: int32
             * @description Id of the model, either `id` or `id_secure`. Defaults to the first active model of the default provider, or else to the first active model.
             */
            model?: number | string;
            /** @description Width and height in pixels. Must be a size that the model supports. Defaults to the model's own default. */
            size?: string;
            /**
             * Format: int32
             * @description Number of images.
             * @default 1
             */
            n: number;
        };
        GeneratedFile: {
            /** @description Unique id (UUIDv7). */
            id: string;
            /** @description Path of the file on this instance. The file is kept for 7 days. */
            url: string;
            /** @description Media type of the file. */
            mime: string;
            /**
             * Format: int32
             * @description Size in bytes.
             */
            bytes: number;
            /** @description Id of the file in the media of the workspace. Null if it could not be kept there. */
            media_id: string | null;
        };
        GeneratedImages: {
            /** @description Unique id (UUIDv7). */
            id: string;
            files: components["schemas"]["GeneratedFile"][];
            model: {
                /**
                 * Format: int32
                 * @description Numeric id of the model.
                 */
                id: number;
                /** @description Unique id (UUIDv7). */
                id_secure: string;
                name: string;
            };
            /**
             * Format: int32
             * @description Number of AI credits charged.
             */
            credits: number;
        };
        VideoPrompt: {
            /** @description Prompt for the model. */
            prompt: string;
            /**
             * Format: int32
             * @description Id of the model, either `id` or `id_secure`. Defaults to the first active model of the default provider, or else to the first active model.
             */
            model?: number | string;
            /** @description Aspect ratio, width to height. */
            aspect_ratio?: string;
            /**
             * Format: int32
             * @description Length in seconds.
             */
            duration_s?: number;
        };
        Generation: {
            /** @description Unique id (UUIDv7). */
            id: string;
            /**
             * @description Kind of output.
             * @enum {string}
             */
            kind: "text" | "image" | "video";
            /**
             * @description State of the generation.
             * @enum {string}
             */
            state: "running" | "succeeded" | "failed" | "canceled";
            /** @description Progress of a video, from 0 to 1. Null for other kinds. */
            progress: number | null;
            /** @description Prompt of the generation. */
            prompt: string | null;
            model: {
                /**
                 * Format: int32
                 * @description Numeric id of the model.
                 */
                id: number;
                /** @description Unique id (UUIDv7). */
                id_secure: string;
                name: string;
            } | null;
            /**
             * Format: int32
             * @description Number of AI credits charged. 0 if the generation failed or was canceled before any output was sent.
             */
            credits: number;
            usage: {
                /**
                 * Format: int32
                 * @description Number of input tokens.
                 */
                input_tokens: number | null;
                /**
                 * Format: int32
                 * @description Number of output tokens.
                 */
                output_tokens: number | null;
            } | null;
            /** @description Generated files that are still stored. */
            files: components["schemas"]["GeneratedFile"][];
            /** @description Reason for the failure: an error code, or `interrupted`. */
            error_code: string | null;
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description Time at which the generation ended. Null while it is running.
             */
            ended_at: string | null;
            /** @description Id of the user who started the generation. */
            user_id: string | null;
        };
        ResumableUpload: {
            /** @description Unique id (UUIDv7). */
            id: string;
            /**
             * Format: int32
             * @description Size of the file.
             */
            bytes: number;
            /**
             * Format: int32
             * @description Bytes that have arrived. Continue from here.
             */
            offset: number;
            /** @description Id of the file that the upload became. Null until it is complete. */
            media_id: string | null;
            /**
             * Format: date-time
             * @description Time until which the upload must be complete.
             */
            expires_at: string;
        };
        Media: {
            /** @description Unique id (UUIDv7). */
            id: string;
            /**
             * @description Kind of the file, as its content shows. `gif`: any animated picture.
             * @enum {string}
             */
            kind: "image" | "gif" | "video" | "document";
            /** @description Media type, as the content of the file shows. */
            mime: string;
            /**
             * Format: int32
             * @description Size of the file as it is stored: upright, and without its location.
             */
            bytes: number;
            /**
             * Format: int32
             * @description Width in pixels. Null for documents.
             */
            width: number | null;
            /**
             * Format: int32
             * @description Height in pixels. Null for documents.
             */
            height: number | null;
            /** @description Duration in seconds. Null for what does not move. */
            duration_s: number | null;
            /** @description Alternative text, which describes the file to people who cannot see it. Empty if it has no such text. */
            alt: string;
            /** @description Name of the file. One line, without invisible characters or characters that change the text direction. */
            name: string;
            labels: string[];
            /** @description SHA-256 of the file as it was uploaded, in hexadecimal. A workspace has every file once. */
            sha256: string;
            /** @description Data URI of a tiny picture to show until the file is loaded. */
            placeholder: string | null;
            /** @description Path of the file. */
            url: string;
            /** @description Path of a WebP picture of at most 400 by 400 pixels. Null if the file has no such picture. */
            thumbnail_url: string | null;
            /** @description Id of the user who uploaded it. Null if that user no longer exists. */
            uploaded_by_id: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        Upload: {
            /**
             * Format: binary
             * @description The file. Its name is kept unless `name` is given. Its type is taken from its content.
             */
            file: string;
            /** @description Alternative text, which describes the file to people who cannot see it. Empty if it has no such text. */
            alt?: string;
            /** @description Name of the file. One line, without invisible characters or characters that change the text direction. */
            name?: string;
            labels?: string[];
        };
        ImportMedia: {
            /** @description Address of the file on the public internet. Redirects are not followed. */
            url: string;
            /** @description Alternative text, which describes the file to people who cannot see it. Empty if it has no such text. */
            alt?: string;
            /** @description Name of the file. One line, without invisible characters or characters that change the text direction. */
            name?: string;
            labels?: string[];
        };
        DeletedMedia: {
            /** @description Unique id (UUIDv7). */
            id: string;
            /**
             * @description Kind of the file, as its content shows. `gif`: any animated picture.
             * @enum {string}
             */
            kind: "image" | "gif" | "video" | "document";
            /** @description Name of the file. One line, without invisible characters or characters that change the text direction. */
            name: string;
            /**
             * Format: int32
             * @description Size of the file as it is stored: upright, and without its location.
             */
            bytes: number;
            /** @description Data URI of a tiny picture to show until the file is loaded. */
            placeholder: string | null;
            /** @description Id of the user who uploaded it. Null if that user no longer exists. */
            uploaded_by_id: string | null;
            /** Format: date-time */
            deleted_at: string;
        };
        ChangeMedia: {
            /** @description Alternative text, which describes the file to people who cannot see it. Empty if it has no such text. */
            alt?: string;
            /** @description Name of the file. One line, without invisible characters or characters that change the text direction. */
            name?: string;
            labels?: string[];
        };
        CropMedia: {
            /**
             * Format: int32
             * @description Pixels between the left edge of the image and the part.
             */
            x: number;
            /**
             * Format: int32
             * @description Pixels between the top edge of the image and the part.
             */
            y: number;
            /**
             * Format: int32
             * @description Width of the part in pixels.
             */
            width: number;
            /**
             * Format: int32
             * @description Height of the part in pixels.
             */
            height: number;
            /**
             * Format: int32
             * @description Degrees by which the image is turned clockwise first: 0, 90, 180 or 270. The other fields then apply to the turned image.
             * @default 0
             */
            rotate: number;
        };
        MediaUses: {
            /** @description Ids of posts that have the file, at most 100. */
            post_ids: string[];
            /** @description Ids of gigs that show the file, at most 100. */
            gig_ids: string[];
        };
        FileRules: {
            /**
             * Format: int32
             * @description Maximum number of files of this kind in one part of a post.
             */
            max: number;
            /** @description Media types that the network takes. Pictures of another type are converted when that loses nothing. */
            mimes: string[];
            /**
             * Format: int32
             * @description Maximum size of a file in bytes.
             */
            max_bytes: number;
            /** @description Whether files of this kind are refused beside other kinds. False by default. */
            alone?: boolean;
            /** @description Maximum width in pixels. */
            max_width?: number;
            /** @description Maximum height in pixels. */
            max_height?: number;
            /** @description Maximum of width times height. */
            max_pixels?: number;
            /** @description Maximum of width plus height, in pixels. */
            max_width_plus_height?: number;
            /** @description Minimum of width divided by height. */
            min_aspect?: number;
            /** @description Maximum of width divided by height. */
            max_aspect?: number;
            /** @description Minimum duration in seconds. */
            min_duration_s?: number;
            /** @description Maximum duration in seconds. */
            max_duration_s?: number;
        };
        Account: {
            /** @description Unique id (UUIDv7). */
            id: string;
            /** @description Id of the network, as listed by `GET /accounts/networks`. */
            network: string;
            /** @description Name of the account in Meydan. */
            name: string;
            /** @description Handle on the network. */
            handle: string;
            /** @description URL of the profile on the network. */
            url: string | null;
            /** @description Path of the picture of the account. Null if it has none. */
            avatar_url: string | null;
            /**
             * @description Status of the account. `disconnected`: the network no longer accepts the credentials.
             * @enum {string}
             */
            status: "connected" | "disconnected";
            /** @description Reason why the account is disconnected. */
            status_detail: string | null;
            /** @description Whether nothing is published there until the account is resumed. */
            paused: boolean;
            /**
             * @description Cause of the pause. `plan`: the plan allows fewer accounts; a larger one resumes it. Null while it is not paused.
             * @enum {string|null}
             */
            paused_by: "member" | "plan" | null;
            /** @description Values that the account was connected with, without secrets. Send them to connect it again. */
            form: {
                [key: string]: string;
            };
            /** @description Capabilities in which this account differs from its network, because its server or its credentials allow more or less. */
            limits: {
                /**
                 * @description Unit of the length of a text. `graphemes`: characters as readers see them; a family emoji is one. `code_points`: Unicode code points. `utf16`: UTF-16 code units, as JavaScript counts.
                 * @enum {string}
                 */
                counting?: "graphemes" | "code_points" | "utf16";
                /**
                 * Format: int32
                 * @description Maximum length of a text, in the unit of `counting`.
                 */
                max_length?: number;
                /**
                 * Format: int32
                 * @description Maximum length of a text in bytes of UTF-8. Null if there is no such limit.
                 */
                max_bytes?: number | null;
                /**
                 * Format: int32
                 * @description Length that each link counts as, however long it is. Null if it counts as written.
                 */
                link_length?: number | null;
                /** @description Whether `@name@host` counts as `@name`. */
                short_mentions?: boolean;
                media?: {
                    /** @description Rules of each kind of file that the network takes. `gif`: any animated picture. */
                    kinds: {
                        image?: components["schemas"]["FileRules"];
                        gif?: components["schemas"]["FileRules"];
                        video?: components["schemas"]["FileRules"];
                        document?: components["schemas"]["FileRules"];
                    };
                    /**
                     * Format: int32
                     * @description Maximum number of files in one part of a post.
                     */
                    max: number;
                    /** @description Whether files of different kinds can be in one part. */
                    mixed: boolean;
                    /** @description Whether a post without a file is refused. */
                    required: boolean;
                    /**
                     * Format: int32
                     * @description Maximum length of an alternative text in characters. Null if the network has none.
                     */
                    max_alt_length: number | null;
                } | null;
                /**
                 * Format: int32
                 * @description Maximum number of parts of a thread, the post itself included. 1 without threads.
                 */
                max_parts?: number;
                /** @description Whether a first comment can be published below a post. */
                first_comment?: boolean;
                /** @description Whether the text of a published post can be changed. */
                edit?: boolean;
                /** @description Whether a published post can be deleted. */
                delete?: boolean;
            };
            /**
             * Format: date-time
             * @description Time of the last check with `POST /accounts/{id}/check`.
             */
            checked_at: string | null;
            /**
             * Format: date-time
             * @description Time at which a post was last published there. Erased posts do not count.
             */
            last_published_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        /** @description Also takes the fields of the network's form, as listed by `GET /accounts/networks`. */
        NewAccount: {
            /** @description Id of the network, as listed by `GET /accounts/networks`. */
            network: string;
            /** @description Name of the account in Meydan. One line, without invisible characters or characters that change the text direction. */
            name?: string;
        } & {
            [key: string]: string;
        };
        ChangeAccount: {
            /** @description Name of the account in Meydan. One line, without invisible characters or characters that change the text direction. */
            name?: string;
            /** @description Pauses or resumes the account. Posts that are due while it is paused fail. */
            paused?: boolean;
        };
        NetworkOption: {
            /** @description Name of the field in `options` of a target. */
            key: string;
            label: string;
            help?: string;
            /** @description Whether a post cannot be scheduled without it. */
            required: boolean;
            /**
             * @description Type of the value. `text` and `select`: a string. `switch`: a boolean. `list`: an array of strings.
             * @enum {string}
             */
            type: "text" | "select" | "switch" | "list";
            /** @description Maximum length of the text, or of each text of a list. */
            max_length?: number;
            /** @description Whether its length counts towards that of the text. */
            is_counted?: boolean;
            /** @description Maximum number of texts of a list. */
            max_items?: number;
            /** @description Pattern of the text, or of each text of a list. */
            pattern?: string;
            /** @description Value when unset. */
            default?: string | boolean;
            /** @description Values of a `select`. */
            choices?: {
                value: string;
                label: string;
            }[];
        };
        Capabilities: {
            /**
             * @description Unit of the length of a text. `graphemes`: characters as readers see them; a family emoji is one. `code_points`: Unicode code points. `utf16`: UTF-16 code units, as JavaScript counts.
             * @enum {string}
             */
            counting: "graphemes" | "code_points" | "utf16";
            /**
             * Format: int32
             * @description Length that each link counts as, however long it is. Null if it counts as written.
             */
            link_length: number | null;
            /** @description Whether `@name@host` counts as `@name`. */
            short_mentions: boolean;
            /**
             * Format: int32
             * @description Maximum length of a text, in the unit of `counting`.
             */
            max_length: number;
            /**
             * Format: int32
             * @description Maximum length of the text of a part with files. Null if it is `max_length`.
             */
            max_length_with_media: number | null;
            /**
             * Format: int32
             * @description Maximum length of a text in bytes of UTF-8. Null if there is no such limit.
             */
            max_bytes: number | null;
            media: {
                /** @description Rules of each kind of file that the network takes. `gif`: any animated picture. */
                kinds: {
                    image?: components["schemas"]["FileRules"];
                    gif?: components["schemas"]["FileRules"];
                    video?: components["schemas"]["FileRules"];
                    document?: components["schemas"]["FileRules"];
                };
                /**
                 * Format: int32
                 * @description Maximum number of files in one part of a post.
                 */
                max: number;
                /** @description Whether files of different kinds can be in one part. */
                mixed: boolean;
                /** @description Whether a post without a file is refused. */
                required: boolean;
                /**
                 * Format: int32
                 * @description Maximum length of an alternative text in characters. Null if the network has none.
                 */
                max_alt_length: number | null;
            } | null;
            /**
             * Format: int32
             * @description Maximum number of parts of a thread, the post itself included. 1 without threads.
             */
            max_parts: number;
            /** @description Whether a first comment can be published below a post. */
            first_comment: boolean;
            /** @description Whether a link in the text is shown as a card. */
            link_card: boolean;
            /** @description Whether the text of a published post can be changed. */
            edit: boolean;
            /** @description Whether a published post can be deleted. */
            delete: boolean;
        };
        Network: {
            id: string;
            name: string;
            description: string;
            /** @description Logo of the network, as the paths of an SVG in their order. */
            icon: {
                /** @description The `viewBox` of the SVG. */
                view_box: string;
                paths: {
                    d: string;
                    /** @description Null: the colour of the text. */
                    fill: string | null;
                }[];
            };
            connect: {
                /**
                 * @description Way to connect an account. `form`: `POST /accounts` with the fields of `form`. `oauth2`: its owner signs in at the network.
                 * @enum {string}
                 */
                kind: "form" | "oauth2";
            };
            /** @description Fields that `POST /accounts` takes for this network in addition to `network` and `name`. */
            form: {
                key: string;
                label: string;
                /** @enum {string} */
                type: "text" | "url" | "password";
                required: boolean;
                default?: string;
                help?: string;
            }[];
            /** @description Settings that `options` of a target takes for this network. */
            options: components["schemas"]["NetworkOption"][];
            capabilities: components["schemas"]["Capabilities"];
            /** @description Parts of a preview that imitate the network. */
            preview: {
                /** @description Stands before the handle of an account, such as `@`. */
                handle_prefix: string;
                /** @description Buttons below a post, in their order. */
                actions: ("reply" | "repost" | "like" | "more")[];
            };
        };
        PlaygroundPost: {
            /** @description Unique id (UUIDv7). */
            id: string;
            /** @description Unique id (UUIDv7). */
            account_id: string;
            /** @description Name of the account in Meydan. */
            account_name: string;
            /** @description Handle of the account on the Playground. */
            handle: string;
            content: string;
            /** @description Ids of the files. */
            media_ids: string[];
            /** @description Id of the post that this one replies to. */
            reply_to_id: string | null;
            /** Format: date-time */
            created_at: string;
        };
        PostMedia: {
            /** @description Unique id (UUIDv7). */
            id: string;
            /**
             * @description Kind of the file, as its content shows. `gif`: any animated picture.
             * @enum {string}
             */
            kind: "image" | "gif" | "video" | "document";
            /** @description Media type, as the content of the file shows. */
            mime: string;
            /**
             * Format: int32
             * @description Width in pixels. Null for documents.
             */
            width: number | null;
            /**
             * Format: int32
             * @description Height in pixels. Null for documents.
             */
            height: number | null;
            /** @description Duration in seconds. Null for what does not move. */
            duration_s: number | null;
        };
        Part: {
            /** @description Text of this part. */
            content: string;
            /** @description Ids of the files, in their order. */
            media_ids: string[];
        };
        Target: {
            /** @description Unique id (UUIDv7). */
            id: string;
            /** @description Id of the account. */
            account_id: string;
            /** @description Id of the network, as listed by `GET /accounts/networks`. */
            network: string;
            /** @description Handle of the account on its network. */
            handle: string;
            /** @description Text for this account. Null uses the text of the post. */
            content: string | null;
            /** @description Files for this account. Null uses those of the post. */
            media_ids: string[] | null;
            /** @description Thread for this account. Null uses the thread of the post. */
            thread: components["schemas"]["Part"][] | null;
            /** @description First comment for this account. Null uses that of the post. */
            first_comment: string | null;
            /** @description Settings for the network of this account. */
            options: {
                [key: string]: unknown;
            };
            /**
             * @description Status of the target. `unconfirmed`: the post was sent but the response was lost, and Meydan is checking whether the network has it. `unpublished`: deleted on the network by `POST /posts/{id}/unpublish`.
             * @enum {string}
             */
            status: "pending" | "publishing" | "unconfirmed" | "published" | "failed" | "unpublished";
            /** @description Whether the response was lost and the network cannot be asked. Look at the account and call `POST /posts/{id}/targets/{target_id}/resolve`. */
            needs_resolution: boolean;
            /**
             * Format: int32
             * @description Number of parts of the thread that are on the network, the post itself included.
             */
            published_parts: number;
            /** @description Id of the published post on the network. */
            external_id: string | null;
            /** @description URL of the published post on the network. */
            url: string | null;
            /** @description Code of the last error. Null without an error. */
            error_code: string | null;
            /** @description Message of the last error. Null without an error. */
            error_message: string | null;
            /**
             * Format: int32
             * @description Number of attempts to publish.
             */
            attempts: number;
            /**
             * Format: date-time
             * @description Time at which the post was published on this account.
             */
            published_at: string | null;
        };
        Post: {
            /** @description Unique id (UUIDv7). */
            id: string;
            /** @description Text of the post. */
            content: string;
            /** @description Ids of the files, in their order. */
            media_ids: string[];
            /** @description All files of the post, in any of its parts and on any account, without order. */
            media: components["schemas"]["PostMedia"][];
            /** @description Parts that follow the post as a thread, each in reply to the one before. Empty without a thread. */
            thread: components["schemas"]["Part"][];
            /** @description Comment that is published below the post, for links and hashtags. */
            first_comment: string | null;
            labels: string[];
            /**
             * @description Status of the post. `partially_published`: published on some of its accounts and failed on the others, or with a part of its thread. `unpublished`: deleted on all networks where it was published.
             * @enum {string}
             */
            status: "draft" | "scheduled" | "publishing" | "published" | "partially_published" | "failed" | "unpublished";
            /**
             * Format: date-time
             * @description Time at which the post is published. Null for a draft without a time.
             */
            scheduled_at: string | null;
            /**
             * Format: date-time
             * @description Time at which publishing ended, if it succeeded on at least one account.
             */
            published_at: string | null;
            /** @description Id of the user who wrote the post. Null if that user no longer exists. */
            author_id: string | null;
            /** @description Id of the user who last changed the post. Null if nobody has, or if that user no longer exists. */
            updated_by_id: string | null;
            /** @description Accounts to publish on, with the result on each. */
            targets: components["schemas"]["Target"][];
            /** @description Problems that prevent a draft from being scheduled. */
            warnings: {
                pointer: string;
                message: string;
                /** @description The message in other languages. */
                translations?: {
                    tr: string;
                };
            }[];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        NewPart: {
            /** @description Text of this part. */
            content: string;
            /** @description Ids of the files, in their order. */
            media_ids?: string[];
        };
        NewTarget: {
            /** @description Id of the account. */
            account_id: string;
            /** @description Text of the post. */
            content?: string | null;
            /** @description Ids of the files, in their order. */
            media_ids?: string[] | null;
            /** @description Parts that follow the post as a thread, each in reply to the one before. Empty without a thread. */
            thread?: components["schemas"]["NewPart"][] | null;
            /** @description Comment that is published below the post, for links and hashtags. */
            first_comment?: string | null;
            /** @description Settings for the network of this account. */
            options?: {
                [key: string]: unknown;
            };
        };
        NewPost: {
            /** @description Text of the post. */
            content: string;
            /** @description Ids of the files, in their order. */
            media_ids?: string[];
            /** @description Parts that follow the post as a thread, each in reply to the one before. Empty without a thread. */
            thread?: components["schemas"]["NewPart"][];
            /** @description Comment that is published below the post, for links and hashtags. */
            first_comment?: string | null;
            /** @description Ids of the accounts to publish on. Use either this or `targets`. */
            account_ids?: string[];
            /** @description Accounts to publish on, each with its own text and settings. Use either this or `account_ids`. */
            targets?: components["schemas"]["NewTarget"][];
            /**
             * Format: date-time
             * @description Time to publish, in the future and at most two years away. A post without it and without `publish_now` is a draft.
             */
            scheduled_at?: string | null;
            /** @description Publishes the post immediately. Cannot be combined with `scheduled_at`. */
            publish_now?: boolean;
            labels?: string[];
        };
        PostSummary: {
            /** @description Unique id (UUIDv7). */
            id: string;
            /** @description First 200 characters of the text. */
            excerpt: string;
            labels: string[];
            /**
             * @description Status of the post. `partially_published`: published on some of its accounts and failed on the others, or with a part of its thread. `unpublished`: deleted on all networks where it was published.
             * @enum {string}
             */
            status: "draft" | "scheduled" | "publishing" | "published" | "partially_published" | "failed" | "unpublished";
            /**
             * Format: date-time
             * @description Time at which the post is published. Null for a draft without a time.
             */
            scheduled_at: string | null;
            /**
             * Format: date-time
             * @description Time at which publishing ended, if it succeeded on at least one account.
             */
            published_at: string | null;
            /** @description Id of the user who wrote the post. Null if that user no longer exists. */
            author_id: string | null;
            /** @description Accounts to publish on. */
            targets: {
                /** @description Id of the account. */
                account_id: string;
                /** @description Id of the network, as listed by `GET /accounts/networks`. */
                network: string;
            }[];
            /** Format: date-time */
            updated_at: string;
        };
        Validation: {
            /** @description Everything that prevents the post from being scheduled. */
            problems: {
                /** @description JSON pointer to the field. */
                pointer: string;
                code: string;
                message: string;
                /** @description The message in other languages. */
                translations?: {
                    tr: string;
                };
            }[];
            targets: {
                /** @description Id of the account. */
                account_id: string;
                /** @description Id of the network, as listed by `GET /accounts/networks`. */
                network: string;
                /** @description The post, then the parts of its thread. */
                parts: {
                    /**
                     * Format: int32
                     * @description Length of the text as the network counts it.
                     */
                    length: number;
                    /**
                     * Format: int32
                     * @description Maximum length.
                     */
                    max_length: number;
                }[];
            }[];
        };
        DeletedPost: {
            /** @description Unique id (UUIDv7). */
            id: string;
            /** @description First 200 characters of the text. */
            excerpt: string;
            /**
             * @description Status of the post when it was deleted.
             * @enum {string}
             */
            status: "draft" | "scheduled" | "publishing" | "published" | "partially_published" | "failed" | "unpublished";
            /** @description Id of the user who wrote the post. Null if that user no longer exists. */
            author_id: string | null;
            /** Format: date-time */
            deleted_at: string;
        };
        PostCounts: {
            /**
             * Format: int32
             * @description Number of posts scheduled within the last seven days that failed on at least one account. Counted up to 100.
             */
            failed: number;
        };
        LinkPreview: {
            /** @description Null if the page cannot be read, or its address is not allowed. */
            card: {
                /** @description Title of the page. */
                title: string;
                /** @description Description that the page gives of itself. Empty if it gives none. */
                description: string;
                /** @description Image of the page as a `data:` URL of a small WebP. Null if it has none that can be read. */
                image: string | null;
            } | null;
        };
        ChangePost: {
            /** @description Text of the post. */
            content?: string;
            /** @description Ids of the files, in their order. */
            media_ids?: string[];
            /** @description Parts that follow the post as a thread, each in reply to the one before. Empty without a thread. */
            thread?: components["schemas"]["NewPart"][];
            /** @description Comment that is published below the post, for links and hashtags. */
            first_comment?: string | null;
            /** @description Ids of the accounts to publish on. Use either this or `targets`. */
            account_ids?: string[];
            /** @description Accounts to publish on, each with its own text and settings. Use either this or `account_ids`. */
            targets?: components["schemas"]["NewTarget"][];
            /**
             * Format: date-time
             * @description Time to publish, in the future and at most two years away. A post without it and without `publish_now` is a draft.
             */
            scheduled_at?: string | null;
            labels?: string[];
        };
        RetryPost: {
            /** @description Confirms that a post whose response was lost is not on the network. Required for targets with `needs_resolution`. */
            confirm_not_published?: boolean;
        };
        ResolveTarget: {
            /** @description Whether the post is on the network. */
            published: boolean;
            /** @description Address of the post on the network. */
            url?: string;
        };
        EditPublished: {
            /** @description Text of the post. */
            content: string;
        };
        SellerBalance: {
            /** @description One entry for each currency with earnings. Empty before the first. */
            data: {
                /**
                 * @description Currency (ISO 4217).
                 * @enum {string}
                 */
                currency: "TRY" | "USD";
                /** @description Earned with completed orders, and not cleared, with at most two decimals. */
                pending: number;
                /** @description Can be paid out, with at most two decimals. */
                available: number;
                /** @description Returned to buyers after it was paid out. Taken off what you earn next, with at most two decimals. */
                owed: number;
            }[];
        };
        StatementLine: {
            /** @description Unique id (UUIDv7). */
            id: string;
            /**
             * @description Kind. `earning`: an order closed. `refund`: money of a completed order went back to its buyer. `payout_returned`: a payout failed or was canceled.
             * @enum {string}
             */
            type: "earning" | "refund" | "payout" | "payout_returned";
            /** @description Id of the order. Null for payouts. */
            order_id: string | null;
            /** @description Title of the order. Null for payouts. */
            title: string | null;
            /** @description Id of the payout. Null for orders. */
            payout_id: string | null;
            /** @description Amount before the fee, in major units. */
            gross: number;
            /** @description Fee of the instance. Negative if it was returned, in major units. */
            fee: number;
            /** @description Change of the balance: `gross` minus `fee`. Negative if it fell, in major units. */
            amount: number;
            /** @description Pending and available minus owed, after it, in major units. */
            balance_after: number;
            /** Format: date-time */
            occurred_at: string;
        };
        PayoutAccount: {
            /** @description Name of the holder of the bank account. One line, without invisible characters or characters that change the text direction. */
            holder: string;
            /** @description Country and last four characters of the IBAN. Null for an account without one. */
            iban_masked: string | null;
            /** @description How to pay, for an account without an IBAN. One line, without invisible characters or characters that change the text direction. */
            note: string | null;
            /**
             * Format: date-time
             * @description No payout can be requested before, because the account was changed. Null if it never was.
             */
            held_until: string | null;
            /** Format: date-time */
            updated_at: string;
        };
        ChangePayoutAccount: {
            /** @description Name of the holder of the bank account. One line, without invisible characters or characters that change the text direction. */
            holder: string;
            /** @description IBAN of the bank account. Spaces and letter case do not matter. */
            iban?: string | null;
            /** @description How to pay, for an account without an IBAN. One line, without invisible characters or characters that change the text direction. */
            note?: string | null;
        };
        Payout: {
            /** @description Unique id (UUIDv7). */
            id: string;
            /** @description Amount, with at most two decimals. */
            amount: number;
            /**
             * @description Currency (ISO 4217).
             * @enum {string}
             */
            currency: "TRY" | "USD";
            /**
             * @description Status. `pending`: requested. `processing`: about to be transferred. The amount of a `failed` or `canceled` payout is available again.
             * @enum {string}
             */
            status: "pending" | "processing" | "paid" | "failed" | "canceled";
            /** @description Holder of the payout account when the payout was requested. */
            holder: string;
            /** @description Country and last four characters of the IBAN. Null for an account without one. */
            iban_masked: string | null;
            /** @description Reference of the bank transfer. Null unless it was stated. */
            reference: string | null;
            /** @description Why the transfer failed. Null unless it did. */
            failure_reason: string | null;
            /**
             * Format: date-time
             * @description Time at which it was paid, failed or canceled. Null before.
             */
            decided_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        NewPayout: {
            /**
             * @description Currency (ISO 4217).
             * @enum {string}
             */
            currency: "TRY" | "USD";
            /** @description Amount. Defaults to all that is available, with at most two decimals. */
            amount?: number;
        };
        AdminPayout: {
            /** @description Unique id (UUIDv7). */
            id: string;
            /** @description Amount, with at most two decimals. */
            amount: number;
            /**
             * @description Currency (ISO 4217).
             * @enum {string}
             */
            currency: "TRY" | "USD";
            /**
             * @description Status. `pending`: requested. `processing`: about to be transferred. The amount of a `failed` or `canceled` payout is available again.
             * @enum {string}
             */
            status: "pending" | "processing" | "paid" | "failed" | "canceled";
            /** @description Holder of the payout account when the payout was requested. */
            holder: string;
            /** @description Country and last four characters of the IBAN. Null for an account without one. */
            iban_masked: string | null;
            /** @description Reference of the bank transfer. Null unless it was stated. */
            reference: string | null;
            /** @description Why the transfer failed. Null unless it did. */
            failure_reason: string | null;
            /**
             * Format: date-time
             * @description Time at which it was paid, failed or canceled. Null before.
             */
            decided_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** @description IBAN to transfer to. Null without one, and once the payout is decided. */
            iban: string | null;
            /** @description How to pay without an IBAN. Null with one, and once the payout is decided. */
            note: string | null;
            /** @description Id of the batch in which it was exported. Null for none. */
            batch_id: string | null;
            /** @description Id of the seller. Null after deletion. */
            user_id: string | null;
            /** @description Name of the seller. Null after deletion. */
            user_name: string | null;
            /** @description Id of the workspace. Null after its deletion. */
            workspace_id: string | null;
            /** @description Name of the workspace. Null after its deletion. */
            workspace_name: string | null;
            /** @description Id of the user who decided. Null before. */
            decided_by: string | null;
        };
        NewPayoutBatch: {
            /**
             * @description Currency (ISO 4217).
             * @enum {string}
             */
            currency: "TRY" | "USD";
        };
        PayoutBatch: {
            /** @description Id of the batch. Null if no payout was pending. */
            batch_id: string | null;
            /**
             * @description Currency (ISO 4217).
             * @enum {string}
             */
            currency: "TRY" | "USD";
            /**
             * Format: int32
             * @description Number of payouts in the batch.
             */
            payouts: number;
            /** @description Sum of the payouts, with at most two decimals. */
            amount: number;
        };
        PaidPayout: {
            /** @description Reference of the bank transfer. One line, without invisible characters or characters that change the text direction. */
            reference: string;
        };
        FailedPayout: {
            /** @description Why the transfer failed. One line, without invisible characters or characters that change the text direction. */
            reason: string;
        };
        GigSummary: {
            /** @description Unique id (UUIDv7). */
            id: string;
            /** @description Part of the public address. It is made from the first title, and never changes. */
            slug: string;
            /** @description Path of the public page. */
            url: string;
            /** @description Title. One line, without invisible characters or characters that change the text direction. */
            title: string;
            /** @description Price, with at most two decimals. */
            price: number;
            /**
             * @description Currency (ISO 4217).
             * @enum {string}
             */
            currency: "TRY" | "USD";
            /**
             * Format: int32
             * @description Days from the acceptance of an order to its delivery.
             */
            delivery_days: number;
            /** @description Categories. Case, accents, and other characters than letters and digits do not distinguish two. */
            categories: string[];
            sample: {
                /** @description Id of the file. */
                id: string;
                /**
                 * @description Kind of the file.
                 * @enum {string}
                 */
                kind: "image" | "gif" | "video";
                /** @description Media type. */
                mime: string;
                /**
                 * Format: int32
                 * @description Width in pixels.
                 */
                width: number | null;
                /**
                 * Format: int32
                 * @description Height in pixels.
                 */
                height: number | null;
                /** @description Alternative text. */
                alt: string;
                /** @description Path of the file. */
                url: string;
                /** @description Path of a WebP picture of at most 400 by 400 pixels. Null if the file has no such picture. */
                thumbnail_url: string | null;
            } | null;
            /** @description Average of the ratings, from 1 to 5. Null without any. */
            rating: number | null;
            /**
             * Format: int32
             * @description Number of ratings.
             */
            rating_count: number;
            /** @description Seller. */
            seller: {
                /** @description Name of the seller. */
                name: string;
                /** @description Handle of the signature of the seller. Null without one. */
                handle: string | null;
            };
            /** Format: date-time */
            published_at: string;
        };
        NewGig: {
            /** @description Title. One line, without invisible characters or characters that change the text direction. */
            title: string;
            /** @description Description, in plain text. */
            description: string;
            /** @description Price, with at most two decimals. */
            price: number;
            /**
             * @description Currency (ISO 4217).
             * @enum {string}
             */
            currency: "TRY" | "USD";
            /**
             * Format: int32
             * @description Days from the acceptance of an order to its delivery.
             */
            delivery_days: number;
            /** @description Categories. Case, accents, and other characters than letters and digits do not distinguish two. */
            categories?: string[];
            /** @description Ids of images, animated pictures and videos of the workspace, in the order in which they are shown. */
            sample_media?: string[];
            /**
             * @description Status. Only a `published` gig is public; it cannot be a `draft` again.
             * @default draft
             * @enum {string}
             */
            status: "draft" | "published" | "paused";
        };
        GigSample: {
            /** @description Id of the file. */
            id: string;
            /**
             * @description Kind of the file.
             * @enum {string}
             */
            kind: "image" | "gif" | "video";
            /** @description Media type. */
            mime: string;
            /**
             * Format: int32
             * @description Width in pixels.
             */
            width: number | null;
            /**
             * Format: int32
             * @description Height in pixels.
             */
            height: number | null;
            /** @description Alternative text. */
            alt: string;
            /** @description Path of the file. */
            url: string;
            /** @description Path of a WebP picture of at most 400 by 400 pixels. Null if the file has no such picture. */
            thumbnail_url: string | null;
        };
        Gig: {
            /** @description Unique id (UUIDv7). */
            id: string;
            /** @description Part of the public address. It is made from the first title, and never changes. */
            slug: string;
            /** @description Path of the public page. */
            url: string;
            /** @description Title. One line, without invisible characters or characters that change the text direction. */
            title: string;
            /** @description Description, in plain text. */
            description: string;
            /** @description Price, with at most two decimals. */
            price: number;
            /**
             * @description Currency (ISO 4217).
             * @enum {string}
             */
            currency: "TRY" | "USD";
            /**
             * Format: int32
             * @description Days from the acceptance of an order to its delivery.
             */
            delivery_days: number;
            /** @description Categories. Case, accents, and other characters than letters and digits do not distinguish two. */
            categories: string[];
            /** @description Ids of images, animated pictures and videos of the workspace, in the order in which they are shown. */
            sample_media: string[];
            /** @description The files of `sample_media`. */
            samples: components["schemas"]["GigSample"][];
            /**
             * @description Status. Only a `published` gig is public; it cannot be a `draft` again.
             * @enum {string}
             */
            status: "draft" | "published" | "paused";
            /**
             * Format: date-time
             * @description Time of the first publication. Null before.
             */
            published_at: string | null;
            /**
             * Format: date-time
             * @description Time since which an instance admin hides the gig. Null otherwise.
             */
            taken_down_at: string | null;
            /** @description Reason for hiding it. Null unless hidden. */
            take_down_reason: string | null;
            /** @description Average of the ratings, from 1 to 5. Null without any. */
            rating: number | null;
            /**
             * Format: int32
             * @description Number of ratings.
             */
            rating_count: number;
            /** @description Seller. */
            seller: {
                /** @description Name of the seller. */
                name: string;
                /** @description Handle of the signature of the seller. Null without one. */
                handle: string | null;
                /** @description Signature of the seller. Null without one. */
                signature: string | null;
                /** @description Average of the ratings, from 1 to 5. Null without any. */
                rating: number | null;
                /**
                 * Format: int32
                 * @description Number of ratings.
                 */
                rating_count: number;
                /**
                 * Format: int32
                 * @description Number of completed orders.
                 */
                completed_orders: number;
            };
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        ChangeGig: {
            /** @description Title. One line, without invisible characters or characters that change the text direction. */
            title?: string;
            /** @description Description, in plain text. */
            description?: string;
            /** @description Price, with at most two decimals. */
            price?: number;
            /**
             * @description Currency (ISO 4217).
             * @enum {string}
             */
            currency?: "TRY" | "USD";
            /**
             * Format: int32
             * @description Days from the acceptance of an order to its delivery.
             */
            delivery_days?: number;
            /** @description Categories. Case, accents, and other characters than letters and digits do not distinguish two. */
            categories?: string[];
            /** @description Ids of images, animated pictures and videos of the workspace, in the order in which they are shown. */
            sample_media?: string[];
            /**
             * @description Status. Only a `published` gig is public; it cannot be a `draft` again.
             * @enum {string}
             */
            status?: "draft" | "published" | "paused";
        };
        NewOrder: {
            /** @description Id of the gig. */
            gig_id: string;
            /** @description Requirements: what the seller needs to know to begin. */
            requirements?: string;
            buyer?: components["schemas"]["Buyer"];
            /** @description Price that was shown to the buyer. 409 `price_changed` if the gig has another one now. */
            shown?: {
                /** @description Price that was shown, with at most two decimals. */
                price: number;
                /**
                 * @description Currency (ISO 4217).
                 * @enum {string}
                 */
                currency: "TRY" | "USD";
            };
        };
        Order: {
            /** @description Unique id (UUIDv7). */
            id: string;
            /** @description Id of the gig. Null after its deletion. */
            gig_id: string | null;
            /** @description Title of the gig when it was ordered. */
            title: string;
            /**
             * @description Status. `pending`: paid, and not accepted yet. `expired`: not paid in time. `completed`, `canceled` and `expired` are final.
             * @enum {string}
             */
            status: "pending_payment" | "pending" | "in_progress" | "delivered" | "completed" | "canceled" | "disputed" | "expired";
            /** @description Workspace that buys, and its user who ordered. */
            buyer: {
                /** @description Id of the user. Null after deletion. */
                user_id: string | null;
                /** @description Id of the workspace. Null after its deletion. */
                workspace_id: string | null;
                /** @description Name of the workspace. Null after its deletion. */
                workspace_name: string | null;
            };
            /** @description User who sells, with the workspace of the gig. */
            seller: {
                /** @description Id of the user. Null after deletion. */
                user_id: string | null;
                /** @description Id of the workspace. Null after its deletion. */
                workspace_id: string | null;
                /** @description Name of the user. Null after deletion. */
                name: string | null;
                /** @description Handle of the signature. Null without one. */
                handle: string | null;
            };
            /** @description Price of the gig when it was ordered, with at most two decimals. */
            price: number;
            /**
             * @description Currency (ISO 4217).
             * @enum {string}
             */
            currency: "TRY" | "USD";
            /** @description Part of the price that the instance keeps, with at most two decimals. */
            platform_fee: number;
            /** @description Part of the price that the seller gets on completion, unless some of it is refunded, with at most two decimals. */
            seller_payout: number;
            /**
             * Format: int32
             * @description Days from acceptance to delivery.
             */
            delivery_days: number;
            /**
             * Format: int32
             * @description Revisions that the buyer can request.
             */
            revisions_allowed: number;
            /**
             * Format: int32
             * @description Revisions that the buyer requested.
             */
            revisions_used: number;
            /** @description Requirements of the buyer. Null without any. */
            requirements: string | null;
            /**
             * Format: date-time
             * @description Time of the requirements. Null without any.
             */
            requirements_at: string | null;
            /** @description Last delivery. Null before the first. */
            contract: {
                /** @description Delivered posts, files and links. */
                posts: {
                    /** @description Id of the delivered post in the workspace of the seller. Null for files and links. */
                    post_id: string | null;
                    /** @description Id of the delivered file. Null for posts and links. */
                    media_id: string | null;
                    /** @description Delivered link. Null for posts and files. */
                    url: string | null;
                    /** @description Text of the post when it was delivered. Null for files and links. */
                    content: string | null;
                    /** @description Files of the post, or the delivered file. */
                    files: {
                        /** @description Id of the file in the workspace of the seller. */
                        media_id: string;
                        /** @description Name of the file. */
                        name: string;
                        /** @description Kind of the file. */
                        kind: string;
                        /** @description Path of the file. Both sides can read it. */
                        url: string;
                    }[];
                    /** @description URLs of the post on its networks when it was delivered. */
                    links: string[];
                }[];
                /** @description Notes of the seller. */
                notes: string;
            } | null;
            /**
             * Format: date-time
             * @description Time of the payment. Null before.
             */
            paid_at: string | null;
            /**
             * Format: date-time
             * @description Time until which the seller accepts. Null unless `pending`.
             */
            accept_by: string | null;
            /**
             * Format: date-time
             * @description Time of the acceptance. Null before.
             */
            accepted_at: string | null;
            /**
             * Format: date-time
             * @description Time until which the seller delivers. Null before the acceptance.
             */
            due_at: string | null;
            /**
             * Format: date-time
             * @description Time of the last delivery. Null before the first.
             */
            delivered_at: string | null;
            /**
             * Format: date-time
             * @description Time at which the order completes by itself. Null unless `delivered`.
             */
            auto_complete_at: string | null;
            /**
             * Format: date-time
             * @description Time of the dispute. Null without one.
             */
            disputed_at: string | null;
            /**
             * Format: date-time
             * @description Time of the completion. Null before.
             */
            completed_at: string | null;
            /**
             * Format: date-time
             * @description Time from which the seller can request the payout. Null before the completion.
             */
            clears_at: string | null;
            /**
             * Format: date-time
             * @description Time of the cancellation. Null unless `canceled`.
             */
            canceled_at: string | null;
            /**
             * @description Side that acts: `buyer`, `seller`, an instance `admin`, or Meydan itself (`system`).
             * @enum {string|null}
             */
            canceled_by: "buyer" | "seller" | "admin" | "system" | null;
            /** @description Reason of the cancellation. Null without one. */
            cancel_reason: string | null;
            /** @description Amount that the buyer gets or got back, with at most two decimals. */
            refund_amount: number;
            /**
             * @description State of the refund at the payment provider. A failed one is completed by an instance admin.
             * @enum {string|null}
             */
            refund_status: "pending" | "succeeded" | "failed" | null;
            /** @description Open payment. Null unless `pending_payment`, and for the seller. */
            checkout: {
                /** @description Unique id (UUIDv7). */
                id: string;
                /**
                 * @description Way to pay, as for the checkout of a plan.
                 * @enum {string}
                 */
                kind: "redirect" | "hosted" | "iframe" | "payment_request";
                /** @description Page to pay at. Null for a payment request. */
                url: string | null;
                /** Format: date-time */
                expires_at: string;
            } | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
    };
    responses: {
        /** @description The request is malformed or invalid. Codes: `malformed_request`, `malformed_json`, `validation_failed`, `read_only`, `url_not_allowed`, `import_failed`, `account_refused`, `search_too_slow`, `account_unreachable`, `ai_refused`, `verification_failed`, `code_rejected`, `signature_invalid`. */
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
        /** @description Credentials are missing or invalid. Codes: `unauthenticated`, `sign_in_failed`. */
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
        /** @description The caller is not allowed to do this. Codes: `email_not_verified`, `banned`, `sign_up_closed`, `password_wrong`, `forbidden_role`, `insufficient_scope`, `feature_not_available`, `limit_exceeded`, `token_not_accepted`, `cross_origin`, `setup_code_invalid`. */
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
        /** @description The record does not exist or is not accessible to you. Codes: `not_found`, `subscription_not_found`. */
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
        /** @description The request conflicts with the current state. Codes: `workspace_required`, `workspace_name_taken`, `workspace_slug_taken`, `plan_code_taken`, `account_taken`, `member_taken`, `invitation_taken`, `email_template_taken`, `media_in_use`, `gig_has_orders`, `last_owner`, `two_factor_on`, `two_factor_off`, `model_key_missing`, `no_model`, `model_key_refused`, `model_unusable`, `idempotency_key_in_use`, `confirmation_required`, `not_supported_by_network`, `payout_account_required`, `payouts_held`, `seller_balance_left`, `balance_too_low`, `invalid_transition`, `billing_disabled`, `billing_not_configured`, `already_subscribed`, `subscription_required`, `own_gig`, `price_changed`, `plan_not_sold`, `period_not_changed`, `resume_too_late`, `setup_done`, `billing_refused`. */
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
        /** @description The record has changed since the version in `If-Match`. Codes: `version_conflict`. */
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
        /** @description The body is too large. Codes: `body_too_large`, `file_too_large`. */
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
        /** @description The body, or the file in it, has an unsupported type. Codes: `unsupported_media_type`, `file_type_refused`. */
        UnsupportedType: {
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
        /** @description The `Idempotency-Key` was used with a different body. Codes: `file_damaged`, `idempotency_key_reused`. */
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
        /** @description Too many requests. Codes: `too_many_requests`, `ai_rate_limited`. */
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
        /** @description Something went wrong on our side. Codes: `internal_error`. */
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
        /** @description Any other problem. */
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
        /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
        "X-Workspace-Id": string;
        /** @description ETag of the version that you read. If the record has changed since then, the update is refused with 412. */
        "If-Match": string;
        /** @description Unique value of your choice that makes the call safe to retry. The same call with the same key within 24 hours returns the first response and has no further effect. */
        "Idempotency-Key": string;
    };
    requestBodies: never;
    headers: {
        /** @description Identifies the request in the server log. A valid id in the request is reused; otherwise Meydan generates one. */
        "X-Request-Id": string;
        /** @description Rate limit of this call: calls (q) per window (w, in seconds). Absent when no limit applies. */
        "RateLimit-Policy": string;
        /** @description Calls left in the current window (r) and seconds until the window resets (t). Absent when no limit applies. */
        RateLimit: string;
        /** @description Seconds to wait before the next attempt. */
        "Retry-After": number;
        /** @description Version of the record. Send it in `If-Match` to update the record only if it has not changed. */
        ETag: string;
        /** @description Allows pages of any origin to read the response. */
        "Access-Control-Allow-Origin": "*";
        /** @description `true` when this is the stored response to the first call with this `Idempotency-Key`. */
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
                     * @description E-mail address.
                     */
                    email: string;
                    /** @description Password, 10 to 200 characters. */
                    password: string;
                    /** @description Name that other users see. One line, without invisible characters or characters that change the text direction. */
                    name: string;
                    /** @description Language tag (BCP 47), such as `tr` or `en-GB`. */
                    locale?: string;
                    /** @description Token from an invitation to this address. Required if sign-up is by invitation only. */
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
                             * @description E-mail address.
                             */
                            email: string;
                            /** @description Name that other users see. One line, without invisible characters or characters that change the text direction. */
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
            415: components["responses"]["UnsupportedType"];
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
                     * @description E-mail address.
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
            415: components["responses"]["UnsupportedType"];
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
                     * @description E-mail address.
                     */
                    email: string;
                    /** @description Six-digit code from the e-mail. */
                    otp: string;
                    /** @description Password to set for the user. Required if there was more than one sign-up with this address. */
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
            415: components["responses"]["UnsupportedType"];
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
                     * @description E-mail address.
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
                            /** @description Unique id (UUIDv7). */
                            id: string;
                            /**
                             * Format: email
                             * @description E-mail address.
                             */
                            email: string;
                            /** @description Name that other users see. One line, without invisible characters or characters that change the text direction. */
                            name: string;
                            emailVerified: boolean;
                        };
                        /** @description `true` when no session was opened and a code of the second factor is required. */
                        two_factor_required?: boolean;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
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
                    /** @description Six-digit code from the authenticator app. */
                    code: string;
                    /** @description Skips the second factor in this browser for 30 days. */
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
                            /** @description Unique id (UUIDv7). */
                            id: string;
                            /**
                             * Format: email
                             * @description E-mail address.
                             */
                            email: string;
                            /** @description Name that other users see. One line, without invisible characters or characters that change the text direction. */
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
            415: components["responses"]["UnsupportedType"];
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
                    /** @description One of the backup codes. */
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
                            /** @description Unique id (UUIDv7). */
                            id: string;
                            /**
                             * Format: email
                             * @description E-mail address.
                             */
                            email: string;
                            /** @description Name that other users see. One line, without invisible characters or characters that change the text direction. */
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
            415: components["responses"]["UnsupportedType"];
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
            415: components["responses"]["UnsupportedType"];
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
                     * @description E-mail address.
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
            415: components["responses"]["UnsupportedType"];
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
                    /** @description Token from the link in the e-mail. */
                    token: string;
                    /** @description Password, 10 to 200 characters. */
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
            415: components["responses"]["UnsupportedType"];
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
            /** @description Done. The response has no body. */
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
            415: components["responses"]["UnsupportedType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    changeMe: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the version that you read. If the record has changed since then, the update is refused with 412. */
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
            415: components["responses"]["UnsupportedType"];
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
            /** @description Everything that Meydan stores about you, and everything you wrote. */
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
                /** @description Unique value of your choice that makes the call safe to retry. The same call with the same key within 24 hours returns the first response and has no further effect. */
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
            /** @description Done. The response has no body. */
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
            415: components["responses"]["UnsupportedType"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    readEmail: {
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
                    "application/json": components["schemas"]["EmailAddress"];
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
    requestEmailChange: {
        parameters: {
            query?: never;
            header?: {
                /** @description Unique value of your choice that makes the call safe to retry. The same call with the same key within 24 hours returns the first response and has no further effect. */
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
            /** @description Change of e-mail address that waits for its codes. */
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
            415: components["responses"]["UnsupportedType"];
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
            /** @description Done. The response has no body. */
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
            415: components["responses"]["UnsupportedType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    confirmEmailChange: {
        parameters: {
            query?: never;
            header?: {
                /** @description Unique value of your choice that makes the call safe to retry. The same call with the same key within 24 hours returns the first response and has no further effect. */
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
            415: components["responses"]["UnsupportedType"];
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
                /** @description Unique value of your choice that makes the call safe to retry. The same call with the same key within 24 hours returns the first response and has no further effect. */
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
            415: components["responses"]["UnsupportedType"];
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
            /** @description Done. The response has no body. */
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
            415: components["responses"]["UnsupportedType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    confirmTwoFactor: {
        parameters: {
            query?: never;
            header?: {
                /** @description Unique value of your choice that makes the call safe to retry. The same call with the same key within 24 hours returns the first response and has no further effect. */
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
            415: components["responses"]["UnsupportedType"];
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
                /** @description Unique value of your choice that makes the call safe to retry. The same call with the same key within 24 hours returns the first response and has no further effect. */
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
            415: components["responses"]["UnsupportedType"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    listSessions: {
        parameters: {
            query?: {
                /** @description Maximum number of records to return. A page with long texts may have fewer. */
                limit?: number;
                /** @description `next_cursor` of the previous page. Omit it for the first page. */
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
                        /** @description Cursor of the next page. Null on the last page. */
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
            /** @description Done. The response has no body. */
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
            415: components["responses"]["UnsupportedType"];
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
                /** @description Unique id (UUIDv7). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. The response has no body. */
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
            415: components["responses"]["UnsupportedType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    listUsers: {
        parameters: {
            query?: {
                /** @description Maximum number of records to return. A page with long texts may have fewer. */
                limit?: number;
                /** @description `next_cursor` of the previous page. Omit it for the first page. */
                cursor?: string;
                /** @description Returns only users whose e-mail address or name contains this. */
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
                        /** @description Cursor of the next page. Null on the last page. */
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
                /** @description Unique value of your choice that makes the call safe to retry. The same call with the same key within 24 hours returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description Unique id (UUIDv7). */
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
            415: components["responses"]["UnsupportedType"];
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
                /** @description Unique value of your choice that makes the call safe to retry. The same call with the same key within 24 hours returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description Unique id (UUIDv7). */
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
            415: components["responses"]["UnsupportedType"];
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
            415: components["responses"]["UnsupportedType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    listWorkspaces: {
        parameters: {
            query?: {
                /** @description Maximum number of records to return. A page with long texts may have fewer. */
                limit?: number;
                /** @description `next_cursor` of the previous page. Omit it for the first page. */
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
                        /** @description Cursor of the next page. Null on the last page. */
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
                /** @description Unique value of your choice that makes the call safe to retry. The same call with the same key within 24 hours returns the first response and has no further effect. */
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
            415: components["responses"]["UnsupportedType"];
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
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
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
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
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
            /** @description Done. The response has no body. */
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
            415: components["responses"]["UnsupportedType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    changeWorkspace: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description ETag of the version that you read. If the record has changed since then, the update is refused with 412. */
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
            415: components["responses"]["UnsupportedType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    publicReadWorkspace: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
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
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description ETag of the version that you read. If the record has changed since then, the update is refused with 412. */
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
            415: components["responses"]["UnsupportedType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    listDeletedWorkspaces: {
        parameters: {
            query?: {
                /** @description Maximum number of records to return. A page with long texts may have fewer. */
                limit?: number;
                /** @description `next_cursor` of the previous page. Omit it for the first page. */
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
                        /** @description Cursor of the next page. Null on the last page. */
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
                /** @description Unique value of your choice that makes the call safe to retry. The same call with the same key within 24 hours returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description Unique id (UUIDv7). */
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
            415: components["responses"]["UnsupportedType"];
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
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
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
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description Unique value of your choice that makes the call safe to retry. The same call with the same key within 24 hours returns the first response and has no further effect. */
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
            415: components["responses"]["UnsupportedType"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    listMembers: {
        parameters: {
            query?: {
                /** @description Maximum number of records to return. A page with long texts may have fewer. */
                limit?: number;
                /** @description `next_cursor` of the previous page. Omit it for the first page. */
                cursor?: string;
            };
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
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
                        /** @description Cursor of the next page. Null on the last page. */
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
                /** @description Maximum number of records to return. A page with long texts may have fewer. */
                limit?: number;
                /** @description `next_cursor` of the previous page. Omit it for the first page. */
                cursor?: string;
            };
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
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
                        /** @description Cursor of the next page. Null on the last page. */
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
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path: {
                /** @description Unique id (UUIDv7). */
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
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path: {
                /** @description Unique id (UUIDv7). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. The response has no body. */
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
            415: components["responses"]["UnsupportedType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    changeMember: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description ETag of the version that you read. If the record has changed since then, the update is refused with 412. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description Unique id (UUIDv7). */
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
            415: components["responses"]["UnsupportedType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    publicReadMember: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path: {
                /** @description Unique id (UUIDv7). */
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
                /** @description Maximum number of records to return. A page with long texts may have fewer. */
                limit?: number;
                /** @description `next_cursor` of the previous page. Omit it for the first page. */
                cursor?: string;
                /** @description State of the invitation. Only a pending invitation can be accepted. */
                state?: "pending" | "accepted" | "revoked" | "expired";
            };
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
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
                        /** @description Cursor of the next page. Null on the last page. */
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
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description Unique value of your choice that makes the call safe to retry. The same call with the same key within 24 hours returns the first response and has no further effect. */
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
                    "application/json": components["schemas"]["SentInvitation"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
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
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path: {
                /** @description Unique id (UUIDv7). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. The response has no body. */
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
            415: components["responses"]["UnsupportedType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    resendInvitation: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description Unique value of your choice that makes the call safe to retry. The same call with the same key within 24 hours returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description Unique id (UUIDv7). */
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
                    "application/json": components["schemas"]["SentInvitation"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
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
                /** @description Token from the link in the e-mail. */
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
                /** @description Unique value of your choice that makes the call safe to retry. The same call with the same key within 24 hours returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description Token from the link in the e-mail. */
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
            415: components["responses"]["UnsupportedType"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    listApiTokens: {
        parameters: {
            query?: {
                /** @description Maximum number of records to return. A page with long texts may have fewer. */
                limit?: number;
                /** @description `next_cursor` of the previous page. Omit it for the first page. */
                cursor?: string;
            };
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
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
                        /** @description Cursor of the next page. Null on the last page. */
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
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description Unique value of your choice that makes the call safe to retry. The same call with the same key within 24 hours returns the first response and has no further effect. */
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
            415: components["responses"]["UnsupportedType"];
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
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
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
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description Unique value of your choice that makes the call safe to retry. The same call with the same key within 24 hours returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description Unique id (UUIDv7). */
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
            415: components["responses"]["UnsupportedType"];
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
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path: {
                /** @description Unique id (UUIDv7). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. The response has no body. */
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
            415: components["responses"]["UnsupportedType"];
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
                /** @description Maximum number of records to return. A page with long texts may have fewer. */
                limit?: number;
                /** @description `next_cursor` of the previous page. Omit it for the first page. */
                cursor?: string;
                /** @description Returns only actions of the user with this id. */
                actor?: string;
                /** @description Returns only this action, such as `token.created`, or all actions of a subject, such as `token.*`. */
                action?: string;
                /** @description Returns only entries at or after this time. */
                since?: string;
                /** @description Returns only entries before this time. */
                until?: string;
            };
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
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
                        /** @description Cursor of the next page. Null on the last page. */
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
                /** @description Maximum number of records to return. A page with long texts may have fewer. */
                limit?: number;
                /** @description `next_cursor` of the previous page. Omit it for the first page. */
                cursor?: string;
                /** @description Returns only actions of the user with this id. */
                actor?: string;
                /** @description Returns only this action, such as `token.created`, or all actions of a subject, such as `token.*`. */
                action?: string;
                /** @description Returns only entries at or after this time. */
                since?: string;
                /** @description Returns only entries before this time. */
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
                        /** @description Cursor of the next page. Null on the last page. */
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
                /** @description Maximum number of records to return. A page with long texts may have fewer. */
                limit?: number;
                /** @description `next_cursor` of the previous page. Omit it for the first page. */
                cursor?: string;
            };
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
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
                        /** @description Cursor of the next page. Null on the last page. */
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
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description Unique value of your choice that makes the call safe to retry. The same call with the same key within 24 hours returns the first response and has no further effect. */
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
            415: components["responses"]["UnsupportedType"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    publicListWebhooks: {
        parameters: {
            query?: {
                /** @description Maximum number of records to return. A page with long texts may have fewer. */
                limit?: number;
                /** @description `next_cursor` of the previous page. Omit it for the first page. */
                cursor?: string;
            };
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
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
                        /** @description Cursor of the next page. Null on the last page. */
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
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description Unique value of your choice that makes the call safe to retry. The same call with the same key within 24 hours returns the first response and has no further effect. */
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
            415: components["responses"]["UnsupportedType"];
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
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
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
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
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
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path: {
                /** @description Unique id (UUIDv7). */
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
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path: {
                /** @description Unique id (UUIDv7). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. The response has no body. */
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
            415: components["responses"]["UnsupportedType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    changeWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description ETag of the version that you read. If the record has changed since then, the update is refused with 412. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description Unique id (UUIDv7). */
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
            415: components["responses"]["UnsupportedType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    publicReadWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path: {
                /** @description Unique id (UUIDv7). */
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
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path: {
                /** @description Unique id (UUIDv7). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. The response has no body. */
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
            415: components["responses"]["UnsupportedType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    publicChangeWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description ETag of the version that you read. If the record has changed since then, the update is refused with 412. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description Unique id (UUIDv7). */
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
            415: components["responses"]["UnsupportedType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description Unique value of your choice that makes the call safe to retry. The same call with the same key within 24 hours returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description Unique id (UUIDv7). */
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
            415: components["responses"]["UnsupportedType"];
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
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description Unique value of your choice that makes the call safe to retry. The same call with the same key within 24 hours returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description Unique id (UUIDv7). */
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
            415: components["responses"]["UnsupportedType"];
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
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description Unique value of your choice that makes the call safe to retry. The same call with the same key within 24 hours returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description Unique id (UUIDv7). */
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
            415: components["responses"]["UnsupportedType"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    listDeliveries: {
        parameters: {
            query?: {
                /** @description Maximum number of records to return. A page with long texts may have fewer. */
                limit?: number;
                /** @description `next_cursor` of the previous page. Omit it for the first page. */
                cursor?: string;
                /** @description Returns only deliveries in this state. `undelivered` stands for every delivery that was attempted without success and is now waiting, held or failed. */
                state?: "waiting" | "held" | "failed" | "delivered" | "undelivered";
                /** @description Returns only deliveries that were (`true`) or were not (`false`) attempted. With `state=waiting`, `true` returns those that are being retried. */
                attempted?: boolean;
                /** @description Event type, such as `post.published`. */
                type?: string;
                /** @description Unique id (UUIDv7). */
                event_id?: string;
                /** @description Returns only deliveries of events created at or after this time. */
                since?: string;
                /** @description Returns only deliveries of events created before this time. */
                until?: string;
            };
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path: {
                /** @description Unique id (UUIDv7). */
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
                        /** @description Cursor of the next page. Null on the last page. */
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
                /** @description Maximum number of records to return. A page with long texts may have fewer. */
                limit?: number;
                /** @description `next_cursor` of the previous page. Omit it for the first page. */
                cursor?: string;
                /** @description Returns only deliveries in this state. `undelivered` stands for every delivery that was attempted without success and is now waiting, held or failed. */
                state?: "waiting" | "held" | "failed" | "delivered" | "undelivered";
                /** @description Returns only deliveries that were (`true`) or were not (`false`) attempted. With `state=waiting`, `true` returns those that are being retried. */
                attempted?: boolean;
                /** @description Event type, such as `post.published`. */
                type?: string;
                /** @description Unique id (UUIDv7). */
                event_id?: string;
                /** @description Returns only deliveries of events created at or after this time. */
                since?: string;
                /** @description Returns only deliveries of events created before this time. */
                until?: string;
            };
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path: {
                /** @description Unique id (UUIDv7). */
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
                        /** @description Cursor of the next page. Null on the last page. */
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
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path: {
                /** @description Unique id (UUIDv7). */
                id: string;
                /** @description Unique id (UUIDv7). */
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
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path: {
                /** @description Unique id (UUIDv7). */
                id: string;
                /** @description Unique id (UUIDv7). */
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
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description Unique value of your choice that makes the call safe to retry. The same call with the same key within 24 hours returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description Unique id (UUIDv7). */
                id: string;
                /** @description Unique id (UUIDv7). */
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
            415: components["responses"]["UnsupportedType"];
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
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description Unique value of your choice that makes the call safe to retry. The same call with the same key within 24 hours returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description Unique id (UUIDv7). */
                id: string;
                /** @description Unique id (UUIDv7). */
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
            415: components["responses"]["UnsupportedType"];
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
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description Unique value of your choice that makes the call safe to retry. The same call with the same key within 24 hours returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description Unique id (UUIDv7). */
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
            415: components["responses"]["UnsupportedType"];
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
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description Unique value of your choice that makes the call safe to retry. The same call with the same key within 24 hours returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description Unique id (UUIDv7). */
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
            415: components["responses"]["UnsupportedType"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    readWebhookStats: {
        parameters: {
            query?: {
                /** @description Period of the statistics. */
                period?: "24h" | "7d" | "30d";
            };
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path: {
                /** @description Unique id (UUIDv7). */
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
                /** @description Period of the statistics. */
                period?: "24h" | "7d" | "30d";
            };
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path: {
                /** @description Unique id (UUIDv7). */
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
                /** @description Maximum number of records to return. */
                limit?: number;
                /** @description `next_cursor` of the previous call. */
                cursor?: string;
                /** @description Returns only events created at or after this time. Ignored with `cursor`. */
                since?: string;
                /** @description Event type, such as `post.published`. */
                type?: string;
            };
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
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
                /** @description Maximum number of records to return. */
                limit?: number;
                /** @description `next_cursor` of the previous call. */
                cursor?: string;
                /** @description Returns only events created at or after this time. Ignored with `cursor`. */
                since?: string;
                /** @description Event type, such as `post.published`. */
                type?: string;
            };
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
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
                        /** @description All options, by group. */
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
                /** @description Key of the option, such as `app.name`. The API key of an AI model is `ai-model-<id>_api-key`. */
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
                /** @description ETag of the version that you read. If the record has changed since then, the update is refused with 412. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description Key of the option, such as `app.name`. The API key of an AI model is `ai-model-<id>_api-key`. */
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
            415: components["responses"]["UnsupportedType"];
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
                /** @description Key of the option, such as `app.name`. The API key of an AI model is `ai-model-<id>_api-key`. */
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. The response has no body. */
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
            415: components["responses"]["UnsupportedType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    testMail: {
        parameters: {
            query?: never;
            header?: {
                /** @description Unique value of your choice that makes the call safe to retry. The same call with the same key within 24 hours returns the first response and has no further effect. */
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
            415: components["responses"]["UnsupportedType"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    listOutbox: {
        parameters: {
            query?: {
                /** @description Maximum number of records to return. A page with long texts may have fewer. */
                limit?: number;
                /** @description `next_cursor` of the previous page. Omit it for the first page. */
                cursor?: string;
                state?: "kept" | "queued" | "sent" | "failed";
                /** @description Returns only e-mails whose address, name, subject or key contains this. Case is ignored. */
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
                        /** @description Cursor of the next page. Null on the last page. */
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
                /** @description Unique id (UUIDv7). */
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
                /** @description Unique value of your choice that makes the call safe to retry. The same call with the same key within 24 hours returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description Unique id (UUIDv7). */
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
            415: components["responses"]["UnsupportedType"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    listEmailTemplates: {
        parameters: {
            query?: {
                /** @description Maximum number of records to return. A page with long texts may have fewer. */
                limit?: number;
                /** @description `next_cursor` of the previous page. Omit it for the first page. */
                cursor?: string;
                /** @description Returns only templates whose key, locale, subject or description contains this. Case is ignored. */
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
                        /** @description Cursor of the next page. Null on the last page. */
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
                /** @description Unique value of your choice that makes the call safe to retry. The same call with the same key within 24 hours returns the first response and has no further effect. */
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
            415: components["responses"]["UnsupportedType"];
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
                /** @description Unique id (UUIDv7). */
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
                /** @description ETag of the version that you read. If the record has changed since then, the update is refused with 412. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description Unique id (UUIDv7). */
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
            415: components["responses"]["UnsupportedType"];
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
                /** @description Unique id (UUIDv7). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. The response has no body. */
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
            415: components["responses"]["UnsupportedType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    previewEmailTemplateDraft: {
        parameters: {
            query?: never;
            header?: {
                /** @description Unique value of your choice that makes the call safe to retry. The same call with the same key within 24 hours returns the first response and has no further effect. */
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
            415: components["responses"]["UnsupportedType"];
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
                /** @description Unique value of your choice that makes the call safe to retry. The same call with the same key within 24 hours returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description Unique id (UUIDv7). */
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
            415: components["responses"]["UnsupportedType"];
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
                /** @description Unique value of your choice that makes the call safe to retry. The same call with the same key within 24 hours returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description Unique id (UUIDv7). */
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
            415: components["responses"]["UnsupportedType"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    listAiModels: {
        parameters: {
            query?: {
                /** @description Maximum number of records to return. A page with long texts may have fewer. */
                limit?: number;
                /** @description `next_cursor` of the previous page. Omit it for the first page. */
                cursor?: string;
                provider?: "openai" | "anthropic" | "google" | "xai" | "mistral" | "ollama" | "custom";
                category?: "text" | "image" | "video";
                is_active?: boolean;
                /** @description Returns only models whose name or model key contains this. */
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
                        /** @description Cursor of the next page. Null on the last page. */
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
                /** @description Unique value of your choice that makes the call safe to retry. The same call with the same key within 24 hours returns the first response and has no further effect. */
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
            415: components["responses"]["UnsupportedType"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    listActiveAiModels: {
        parameters: {
            query?: {
                /** @description Maximum number of records to return. A page with long texts may have fewer. */
                limit?: number;
                /** @description `next_cursor` of the previous page. Omit it for the first page. */
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
                        /** @description Cursor of the next page. Null on the last page. */
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
                /** @description Maximum number of records to return. A page with long texts may have fewer. */
                limit?: number;
                /** @description `next_cursor` of the previous page. Omit it for the first page. */
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
                        /** @description Cursor of the next page. Null on the last page. */
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
                /** @description `id` or `id_secure` of the model. */
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
                /** @description ETag of the version that you read. If the record has changed since then, the update is refused with 412. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description `id` or `id_secure` of the model. */
                id: string;
            };
            cookie?: never;
        };
        /** @description Omitted fields do not change. `api_params` and `meta` are replaced as a whole. */
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
            415: components["responses"]["UnsupportedType"];
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
                /** @description `id` or `id_secure` of the model. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. The response has no body. */
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
            415: components["responses"]["UnsupportedType"];
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
                /** @description `id` or `id_secure` of the model. */
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
            /** @description Done. The response has no body. */
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
            415: components["responses"]["UnsupportedType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    testAiModel: {
        parameters: {
            query?: never;
            header?: {
                /** @description Unique value of your choice that makes the call safe to retry. The same call with the same key within 24 hours returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description `id` or `id_secure` of the model. */
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
            415: components["responses"]["UnsupportedType"];
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
                /** @description Maximum number of records to return. A page with long texts may have fewer. */
                limit?: number;
                /** @description `next_cursor` of the previous page. Omit it for the first page. */
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
                        /** @description Cursor of the next page. Null on the last page. */
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
                /** @description Unique value of your choice that makes the call safe to retry. The same call with the same key within 24 hours returns the first response and has no further effect. */
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
            415: components["responses"]["UnsupportedType"];
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
                /** @description Unique value of your choice that makes the call safe to retry. The same call with the same key within 24 hours returns the first response and has no further effect. */
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
                        /** @description Cursor of the next page. Null on the last page. */
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
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
                /** @description ETag of the version that you read. If the record has changed since then, the update is refused with 412. */
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
            415: components["responses"]["UnsupportedType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    archivePlan: {
        parameters: {
            query?: never;
            header?: {
                /** @description Unique value of your choice that makes the call safe to retry. The same call with the same key within 24 hours returns the first response and has no further effect. */
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
            415: components["responses"]["UnsupportedType"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    listInvoices: {
        parameters: {
            query?: {
                /** @description Maximum number of records to return. A page with long texts may have fewer. */
                limit?: number;
                /** @description `next_cursor` of the previous page. Omit it for the first page. */
                cursor?: string;
                /** @description Status: `open`, `paid` or `void`. A credit note is `paid`. */
                status?: "open" | "paid" | "void";
                /** @description Returns only the credit notes of the invoice with this id. */
                corrects?: string;
            };
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
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
                        data: components["schemas"]["Invoice"][];
                        /** @description Cursor of the next page. Null on the last page. */
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
    publicListInvoices: {
        parameters: {
            query?: {
                /** @description Maximum number of records to return. A page with long texts may have fewer. */
                limit?: number;
                /** @description `next_cursor` of the previous page. Omit it for the first page. */
                cursor?: string;
                /** @description Status: `open`, `paid` or `void`. A credit note is `paid`. */
                status?: "open" | "paid" | "void";
                /** @description Returns only the credit notes of the invoice with this id. */
                corrects?: string;
            };
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
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
                        data: components["schemas"]["Invoice"][];
                        /** @description Cursor of the next page. Null on the last page. */
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
    readInvoice: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path: {
                /** @description Unique id (UUIDv7). */
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
                    "application/json": components["schemas"]["Invoice"];
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
    publicReadInvoice: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path: {
                /** @description Unique id (UUIDv7). */
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
                    "application/json": components["schemas"]["Invoice"];
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
    downloadInvoice: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Unique id (UUIDv7). */
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
                    "application/pdf": string;
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
    publicDownloadInvoice: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Unique id (UUIDv7). */
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
                    "application/pdf": string;
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
    readInvoicePage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Unique id (UUIDv7). */
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
                    "text/html": string;
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
    publicReadInvoicePage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Unique id (UUIDv7). */
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
                    "text/html": string;
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
    listAllInvoices: {
        parameters: {
            query?: {
                /** @description Maximum number of records to return. A page with long texts may have fewer. */
                limit?: number;
                /** @description `next_cursor` of the previous page. Omit it for the first page. */
                cursor?: string;
                /** @description Month of issue in Turkey, such as `2026-11`. */
                month?: string;
                /** @description Status: `open`, `paid` or `void`. A credit note is `paid`. */
                status?: "open" | "paid" | "void";
                /** @description Kind: `invoice`, or `credit_note` for a refund; its amounts are negative, or positive if it takes back the note of a refund that failed. */
                kind?: "invoice" | "credit_note";
                /** @description Returns only invoices of the workspace with this id. */
                workspace_id?: string;
                /** @description Returns only invoices whose number begins with this. */
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
                        data: components["schemas"]["AdminInvoice"][];
                        /** @description Cursor of the next page. Null on the last page. */
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
    exportInvoices: {
        parameters: {
            query?: {
                /** @description Month of issue in Turkey, such as `2026-11`. */
                month?: string;
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
                    "text/csv": string;
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
    downloadAnyInvoice: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Unique id (UUIDv7). */
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
                    "application/pdf": string;
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
    setOfficialNumber: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Unique id (UUIDv7). */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OfficialInvoice"];
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
                    "application/json": components["schemas"]["AdminInvoice"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    readUsage: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
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
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
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
    readCheckoutTerms: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
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
                    "application/json": components["schemas"]["CheckoutTerms"];
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
    startCheckout: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description Unique value of your choice that makes the call safe to retry. The same call with the same key within 24 hours returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewCheckout"];
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
                    "application/json": components["schemas"]["Checkout"];
                };
            };
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
                    "application/json": components["schemas"]["Checkout"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    publicReadCheckoutTerms: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
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
                    "application/json": components["schemas"]["CheckoutTerms"];
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
    publicStartCheckout: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description Unique value of your choice that makes the call safe to retry. The same call with the same key within 24 hours returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewCheckout"];
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
                    "application/json": components["schemas"]["Checkout"];
                };
            };
            /** @description Created */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Checkout"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    readCheckout: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path: {
                /** @description Unique id (UUIDv7). */
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
                    "application/json": components["schemas"]["Checkout"];
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
    publicReadCheckout: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path: {
                /** @description Unique id (UUIDv7). */
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
                    "application/json": components["schemas"]["Checkout"];
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
    openCheckout: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description Unique value of your choice that makes the call safe to retry. The same call with the same key within 24 hours returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description Unique id (UUIDv7). */
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
                    "application/json": components["schemas"]["Checkout"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    publicOpenCheckout: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description Unique value of your choice that makes the call safe to retry. The same call with the same key within 24 hours returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description Unique id (UUIDv7). */
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
                    "application/json": components["schemas"]["Checkout"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    readSubscription: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
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
                    "application/json": components["schemas"]["Subscription"];
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
    publicReadSubscription: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
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
                    "application/json": components["schemas"]["Subscription"];
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
    cancelSubscription: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description Unique value of your choice that makes the call safe to retry. The same call with the same key within 24 hours returns the first response and has no further effect. */
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
                    "application/json": components["schemas"]["Subscription"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    publicCancelSubscription: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description Unique value of your choice that makes the call safe to retry. The same call with the same key within 24 hours returns the first response and has no further effect. */
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
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscription"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    resumeSubscription: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description Unique value of your choice that makes the call safe to retry. The same call with the same key within 24 hours returns the first response and has no further effect. */
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
                    "application/json": components["schemas"]["Subscription"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    publicResumeSubscription: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description Unique value of your choice that makes the call safe to retry. The same call with the same key within 24 hours returns the first response and has no further effect. */
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
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscription"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    previewPlanChange: {
        parameters: {
            query: {
                /** @description Code of the plan. */
                plan_code: string;
                /** @description Length of a period. */
                period?: "monthly" | "yearly";
            };
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
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
                    "application/json": components["schemas"]["PlanChangePreview"];
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
    changeSubscriptionPlan: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description Unique value of your choice that makes the call safe to retry. The same call with the same key within 24 hours returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PlanChange"];
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
                    "application/json": components["schemas"]["ChangedPlan"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    publicPreviewPlanChange: {
        parameters: {
            query: {
                /** @description Code of the plan. */
                plan_code: string;
                /** @description Length of a period. */
                period?: "monthly" | "yearly";
            };
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
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
                    "application/json": components["schemas"]["PlanChangePreview"];
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
    publicChangeSubscriptionPlan: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description Unique value of your choice that makes the call safe to retry. The same call with the same key within 24 hours returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PlanChange"];
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
                    "application/json": components["schemas"]["ChangedPlan"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    readPaymentMethod: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
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
                    "application/json": components["schemas"]["PaymentMethod"];
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
    publicReadPaymentMethod: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
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
                    "application/json": components["schemas"]["PaymentMethod"];
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
    listPaymentRequests: {
        parameters: {
            query?: {
                /** @description Maximum number of records to return. A page with long texts may have fewer. */
                limit?: number;
                /** @description `next_cursor` of the previous page. Omit it for the first page. */
                cursor?: string;
                /** @description Status. `withdrawn`: the workspace chose something else or canceled. */
                status?: "pending" | "approved" | "rejected" | "expired" | "withdrawn";
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
                        data: components["schemas"]["PaymentRequest"][];
                        /** @description Cursor of the next page. Null on the last page. */
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
    approvePaymentRequest: {
        parameters: {
            query?: never;
            header?: {
                /** @description Unique value of your choice that makes the call safe to retry. The same call with the same key within 24 hours returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description Unique id (UUIDv7). */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Approval"];
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
                    "application/json": components["schemas"]["PaymentRequest"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    rejectPaymentRequest: {
        parameters: {
            query?: never;
            header?: {
                /** @description Unique value of your choice that makes the call safe to retry. The same call with the same key within 24 hours returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description Unique id (UUIDv7). */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Rejection"];
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
                    "application/json": components["schemas"]["PaymentRequest"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    listSubscriptions: {
        parameters: {
            query?: {
                /** @description Maximum number of records to return. A page with long texts may have fewer. */
                limit?: number;
                /** @description `next_cursor` of the previous page. Omit it for the first page. */
                cursor?: string;
                /** @description Status. `trialing`, `active` and `past_due` subscriptions are in force. `canceled`: ended on request. `expired`: ended unpaid. */
                status?: "trialing" | "active" | "past_due" | "canceled" | "expired";
                /** @description Code of the plan. */
                plan_code?: string;
                /** @description Payment provider. */
                provider?: "manual" | "stripe" | "iyzico" | "paytr";
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
                        data: components["schemas"]["AdminSubscription"][];
                        /** @description Cursor of the next page. Null on the last page. */
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
    readSubscriptionForAdmin: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Unique id (UUIDv7). */
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
                    "application/json": components["schemas"]["AdminSubscription"];
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
    extendSubscription: {
        parameters: {
            query?: never;
            header?: {
                /** @description Unique value of your choice that makes the call safe to retry. The same call with the same key within 24 hours returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description Unique id (UUIDv7). */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Extension"];
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
                    "application/json": components["schemas"]["AdminSubscription"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    expireSubscription: {
        parameters: {
            query?: never;
            header?: {
                /** @description Unique value of your choice that makes the call safe to retry. The same call with the same key within 24 hours returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description Unique id (UUIDv7). */
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
                    "application/json": components["schemas"]["AdminSubscription"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    readBillingOverview: {
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
                    "application/json": components["schemas"]["BillingOverview"];
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
    refundInvoice: {
        parameters: {
            query?: never;
            header?: {
                /** @description Unique value of your choice that makes the call safe to retry. The same call with the same key within 24 hours returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description Unique id (UUIDv7). */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RefundInput"];
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
                    "application/json": components["schemas"]["Refund"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    testBilling: {
        parameters: {
            query?: never;
            header?: {
                /** @description Unique value of your choice that makes the call safe to retry. The same call with the same key within 24 hours returns the first response and has no further effect. */
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
                    "application/json": components["schemas"]["BillingTest"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    listLedgerAccounts: {
        parameters: {
            query?: {
                /** @description Maximum number of records to return. A page with long texts may have fewer. */
                limit?: number;
                /** @description `next_cursor` of the previous page. Omit it for the first page. */
                cursor?: string;
                /** @description Kind of the account. */
                kind?: "provider_clearing" | "subscription_revenue" | "vat_payable" | "unapplied_payments" | "escrow" | "refunds_payable" | "seller_pending" | "seller_available" | "seller_debt" | "platform_fee" | "payout_clearing" | "bank";
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
                        data: components["schemas"]["LedgerAccount"][];
                        /** @description Cursor of the next page. Null on the last page. */
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
    listLedgerTransactions: {
        parameters: {
            query?: {
                /** @description Maximum number of records to return. A page with long texts may have fewer. */
                limit?: number;
                /** @description `next_cursor` of the previous page. Omit it for the first page. */
                cursor?: string;
                /** @description Id of an account with an entry. */
                account_id?: string;
                /** @description Id of the record that moved the money. */
                reference?: string;
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
                        data: components["schemas"]["LedgerTransaction"][];
                        /** @description Cursor of the next page. Null on the last page. */
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
    checkLedger: {
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
                    "application/json": components["schemas"]["LedgerReport"];
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
    generateText: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description Unique value of your choice that makes the call safe to retry. The same call with the same key within 24 hours returns the first response and has no further effect. */
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
            415: components["responses"]["UnsupportedType"];
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
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description Unique value of your choice that makes the call safe to retry. The same call with the same key within 24 hours returns the first response and has no further effect. */
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
            415: components["responses"]["UnsupportedType"];
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
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description Unique value of your choice that makes the call safe to retry. The same call with the same key within 24 hours returns the first response and has no further effect. */
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
            415: components["responses"]["UnsupportedType"];
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
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description Unique value of your choice that makes the call safe to retry. The same call with the same key within 24 hours returns the first response and has no further effect. */
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
            415: components["responses"]["UnsupportedType"];
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
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description Unique value of your choice that makes the call safe to retry. The same call with the same key within 24 hours returns the first response and has no further effect. */
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
            415: components["responses"]["UnsupportedType"];
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
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description Unique value of your choice that makes the call safe to retry. The same call with the same key within 24 hours returns the first response and has no further effect. */
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
            415: components["responses"]["UnsupportedType"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    listGenerations: {
        parameters: {
            query?: {
                /** @description Maximum number of records to return. A page with long texts may have fewer. */
                limit?: number;
                /** @description `next_cursor` of the previous page. Omit it for the first page. */
                cursor?: string;
                /** @description Returns only generations of this kind. */
                kind?: "text" | "image" | "video";
                /** @description Returns only generations in this state. */
                state?: "running" | "succeeded" | "failed" | "canceled";
            };
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
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
                        /** @description Cursor of the next page. Null on the last page. */
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
                /** @description Maximum number of records to return. A page with long texts may have fewer. */
                limit?: number;
                /** @description `next_cursor` of the previous page. Omit it for the first page. */
                cursor?: string;
                /** @description Returns only generations of this kind. */
                kind?: "text" | "image" | "video";
                /** @description Returns only generations in this state. */
                state?: "running" | "succeeded" | "failed" | "canceled";
            };
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
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
                        /** @description Cursor of the next page. Null on the last page. */
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
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path: {
                /** @description Unique id (UUIDv7). */
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
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path: {
                /** @description Unique id (UUIDv7). */
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
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description Unique value of your choice that makes the call safe to retry. The same call with the same key within 24 hours returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description Unique id (UUIDv7). */
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
            415: components["responses"]["UnsupportedType"];
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
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description Unique value of your choice that makes the call safe to retry. The same call with the same key within 24 hours returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description Unique id (UUIDv7). */
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
            415: components["responses"]["UnsupportedType"];
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
                /** @description Unique id (UUIDv7). */
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
                /** @description Unique id (UUIDv7). */
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
    beginUpload: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description Bytes of the file. */
        requestBody: {
            content: {
                "application/offset+octet-stream": string;
            };
        };
        responses: {
            /** @description Done. The response has no body. */
            201: {
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
            415: components["responses"]["UnsupportedType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    publicBeginUpload: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description Bytes of the file. */
        requestBody: {
            content: {
                "application/offset+octet-stream": string;
            };
        };
        responses: {
            /** @description Done. The response has no body. */
            201: {
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
            415: components["responses"]["UnsupportedType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    readUpload: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path: {
                /** @description Unique id (UUIDv7). */
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
                    "application/json": components["schemas"]["ResumableUpload"];
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
    cancelUpload: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path: {
                /** @description Unique id (UUIDv7). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. The response has no body. */
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
            415: components["responses"]["UnsupportedType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    continueUpload: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path: {
                /** @description Unique id (UUIDv7). */
                id: string;
            };
            cookie?: never;
        };
        /** @description Bytes of the file. */
        requestBody: {
            content: {
                "application/offset+octet-stream": string;
            };
        };
        responses: {
            /** @description Done. The response has no body. */
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
            415: components["responses"]["UnsupportedType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    publicReadUpload: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path: {
                /** @description Unique id (UUIDv7). */
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
                    "application/json": components["schemas"]["ResumableUpload"];
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
    publicCancelUpload: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path: {
                /** @description Unique id (UUIDv7). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. The response has no body. */
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
            415: components["responses"]["UnsupportedType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    publicContinueUpload: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path: {
                /** @description Unique id (UUIDv7). */
                id: string;
            };
            cookie?: never;
        };
        /** @description Bytes of the file. */
        requestBody: {
            content: {
                "application/offset+octet-stream": string;
            };
        };
        responses: {
            /** @description Done. The response has no body. */
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
            415: components["responses"]["UnsupportedType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    listMedia: {
        parameters: {
            query?: {
                /** @description Maximum number of records to return. A page with long texts may have fewer. */
                limit?: number;
                /** @description `next_cursor` of the previous page. Omit it for the first page. */
                cursor?: string;
                /** @description Returns only files of this kind. */
                kind?: "image" | "gif" | "video" | "document";
                /** @description Returns only files with exactly this label. One line, without invisible characters or characters that change the text direction. */
                label?: string;
                /** @description Returns only files whose name, alternative text or labels contain each of these words, anywhere and in any order. Case and accents are ignored. */
                search?: string;
            };
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
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
                        data: components["schemas"]["Media"][];
                        /** @description Cursor of the next page. Null on the last page. */
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
    uploadMedia: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["Upload"];
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
                    "application/json": components["schemas"]["Media"];
                };
            };
            /** @description Created */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Media"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    publicListMedia: {
        parameters: {
            query?: {
                /** @description Maximum number of records to return. A page with long texts may have fewer. */
                limit?: number;
                /** @description `next_cursor` of the previous page. Omit it for the first page. */
                cursor?: string;
                /** @description Returns only files of this kind. */
                kind?: "image" | "gif" | "video" | "document";
                /** @description Returns only files with exactly this label. One line, without invisible characters or characters that change the text direction. */
                label?: string;
                /** @description Returns only files whose name, alternative text or labels contain each of these words, anywhere and in any order. Case and accents are ignored. */
                search?: string;
            };
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
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
                        data: components["schemas"]["Media"][];
                        /** @description Cursor of the next page. Null on the last page. */
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
    publicUploadMedia: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["Upload"];
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
                    "application/json": components["schemas"]["Media"];
                };
            };
            /** @description Created */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Media"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    importMedia: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description Unique value of your choice that makes the call safe to retry. The same call with the same key within 24 hours returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ImportMedia"];
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
                    "application/json": components["schemas"]["Media"];
                };
            };
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
                    "application/json": components["schemas"]["Media"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    publicImportMedia: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description Unique value of your choice that makes the call safe to retry. The same call with the same key within 24 hours returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ImportMedia"];
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
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Media"];
                };
            };
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
                    "application/json": components["schemas"]["Media"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    listDeletedMedia: {
        parameters: {
            query?: {
                /** @description Maximum number of records to return. A page with long texts may have fewer. */
                limit?: number;
                /** @description `next_cursor` of the previous page. Omit it for the first page. */
                cursor?: string;
                /** @description Returns only files deleted at or after this time. Defaults to all that can be restored. */
                since?: string;
            };
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
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
                        data: components["schemas"]["DeletedMedia"][];
                        /** @description Cursor of the next page. Null on the last page. */
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
    publicListDeletedMedia: {
        parameters: {
            query?: {
                /** @description Maximum number of records to return. A page with long texts may have fewer. */
                limit?: number;
                /** @description `next_cursor` of the previous page. Omit it for the first page. */
                cursor?: string;
                /** @description Returns only files deleted at or after this time. Defaults to all that can be restored. */
                since?: string;
            };
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
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
                        data: components["schemas"]["DeletedMedia"][];
                        /** @description Cursor of the next page. Null on the last page. */
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
    readMedia: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path: {
                /** @description Unique id (UUIDv7). */
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
                    "application/json": components["schemas"]["Media"];
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
    deleteMedia: {
        parameters: {
            query?: {
                /** @description Erases the file at once, also one that was deleted before. It cannot be restored. */
                permanent?: boolean;
            };
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path: {
                /** @description Unique id (UUIDv7). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. The response has no body. */
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
            415: components["responses"]["UnsupportedType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    changeMedia: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description ETag of the version that you read. If the record has changed since then, the update is refused with 412. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description Unique id (UUIDv7). */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeMedia"];
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
                    "application/json": components["schemas"]["Media"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["Changed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    publicReadMedia: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path: {
                /** @description Unique id (UUIDv7). */
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
                    "application/json": components["schemas"]["Media"];
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
    publicDeleteMedia: {
        parameters: {
            query?: {
                /** @description Erases the file at once, also one that was deleted before. It cannot be restored. */
                permanent?: boolean;
            };
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path: {
                /** @description Unique id (UUIDv7). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. The response has no body. */
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
            415: components["responses"]["UnsupportedType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    publicChangeMedia: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description ETag of the version that you read. If the record has changed since then, the update is refused with 412. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description Unique id (UUIDv7). */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeMedia"];
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
                    "application/json": components["schemas"]["Media"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["Changed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    cropMedia: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description Unique value of your choice that makes the call safe to retry. The same call with the same key within 24 hours returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description Unique id (UUIDv7). */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CropMedia"];
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
                    "application/json": components["schemas"]["Media"];
                };
            };
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
                    "application/json": components["schemas"]["Media"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    publicCropMedia: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description Unique value of your choice that makes the call safe to retry. The same call with the same key within 24 hours returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description Unique id (UUIDv7). */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CropMedia"];
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
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Media"];
                };
            };
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
                    "application/json": components["schemas"]["Media"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    restoreMedia: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description Unique value of your choice that makes the call safe to retry. The same call with the same key within 24 hours returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description Unique id (UUIDv7). */
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
                    "application/json": components["schemas"]["Media"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    publicRestoreMedia: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description Unique value of your choice that makes the call safe to retry. The same call with the same key within 24 hours returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description Unique id (UUIDv7). */
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
                    "application/json": components["schemas"]["Media"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    listMediaUses: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path: {
                /** @description Unique id (UUIDv7). */
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
                    "application/json": components["schemas"]["MediaUses"];
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
    publicListMediaUses: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path: {
                /** @description Unique id (UUIDv7). */
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
                    "application/json": components["schemas"]["MediaUses"];
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
    downloadMedia: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Unique id (UUIDv7). */
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
                    "image/*": string;
                    "video/*": string;
                    "application/*": string;
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
    publicDownloadMedia: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Unique id (UUIDv7). */
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
                    "image/*": string;
                    "video/*": string;
                    "application/*": string;
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
    downloadMediaThumbnail: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Unique id (UUIDv7). */
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
                    "image/*": string;
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
    publicDownloadMediaThumbnail: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Unique id (UUIDv7). */
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
                    "image/*": string;
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
    downloadSignedMedia: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description File, time of expiry and signature. */
                grant: string;
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
                    "image/*": string;
                    "video/*": string;
                    "application/*": string;
                };
            };
            400: components["responses"]["Invalid"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    listAccounts: {
        parameters: {
            query?: {
                /** @description Maximum number of records to return. A page with long texts may have fewer. */
                limit?: number;
                /** @description `next_cursor` of the previous page. Omit it for the first page. */
                cursor?: string;
            };
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
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
                        /** @description Cursor of the next page. Null on the last page. */
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
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description Unique value of your choice that makes the call safe to retry. The same call with the same key within 24 hours returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description Also takes the fields of the network's form, as listed by `GET /accounts/networks`. */
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
            415: components["responses"]["UnsupportedType"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    publicListAccounts: {
        parameters: {
            query?: {
                /** @description Maximum number of records to return. A page with long texts may have fewer. */
                limit?: number;
                /** @description `next_cursor` of the previous page. Omit it for the first page. */
                cursor?: string;
            };
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
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
                        /** @description Cursor of the next page. Null on the last page. */
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
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description Unique value of your choice that makes the call safe to retry. The same call with the same key within 24 hours returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description Also takes the fields of the network's form, as listed by `GET /accounts/networks`. */
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
            415: components["responses"]["UnsupportedType"];
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
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path: {
                /** @description Unique id (UUIDv7). */
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
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path: {
                /** @description Unique id (UUIDv7). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. The response has no body. */
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
            415: components["responses"]["UnsupportedType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    changeAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description ETag of the version that you read. If the record has changed since then, the update is refused with 412. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description Unique id (UUIDv7). */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeAccount"];
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
                    "application/json": components["schemas"]["Account"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["Changed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    publicReadAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path: {
                /** @description Unique id (UUIDv7). */
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
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path: {
                /** @description Unique id (UUIDv7). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. The response has no body. */
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
            415: components["responses"]["UnsupportedType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    publicChangeAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description ETag of the version that you read. If the record has changed since then, the update is refused with 412. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description Unique id (UUIDv7). */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeAccount"];
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
                    "application/json": components["schemas"]["Account"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["Changed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    downloadAccountAvatar: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Unique id (UUIDv7). */
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
                    "image/*": string;
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
    publicDownloadAccountAvatar: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Unique id (UUIDv7). */
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
                    "image/*": string;
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
    checkAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description Unique value of your choice that makes the call safe to retry. The same call with the same key within 24 hours returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description Unique id (UUIDv7). */
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
            415: components["responses"]["UnsupportedType"];
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
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description Unique value of your choice that makes the call safe to retry. The same call with the same key within 24 hours returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description Unique id (UUIDv7). */
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
            415: components["responses"]["UnsupportedType"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    listNetworks: {
        parameters: {
            query?: {
                /** @description Language of the texts, as a language tag such as `tr`. English by default. */
                locale?: string;
            };
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
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
            query?: {
                /** @description Language of the texts, as a language tag such as `tr`. English by default. */
                locale?: string;
            };
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
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
    listPlayground: {
        parameters: {
            query?: {
                /** @description Maximum number of records to return. A page with long texts may have fewer. */
                limit?: number;
                /** @description `next_cursor` of the previous page. Omit it for the first page. */
                cursor?: string;
            };
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
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
                        /** @description Cursor of the next page. Null on the last page. */
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
                /** @description Maximum number of records to return. A page with long texts may have fewer. */
                limit?: number;
                /** @description `next_cursor` of the previous page. Omit it for the first page. */
                cursor?: string;
            };
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
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
                        /** @description Cursor of the next page. Null on the last page. */
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
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path: {
                /** @description Unique id (UUIDv7). */
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
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path: {
                /** @description Unique id (UUIDv7). */
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
                /** @description Maximum number of records to return. A page with long texts may have fewer. */
                limit?: number;
                /** @description `next_cursor` of the previous page. Omit it for the first page. */
                cursor?: string;
                /** @description Returns only posts with this status. */
                status?: "draft" | "scheduled" | "publishing" | "published" | "partially_published" | "failed" | "unpublished";
                /** @description Returns only posts with this account among their targets. */
                account_id?: string;
                /** @description Returns only posts that this user wrote. */
                author_id?: string;
                /** @description Returns only posts with exactly this label. One line, without invisible characters or characters that change the text direction. */
                label?: string;
                /** @description Returns only posts scheduled at or after this time. */
                from?: string;
                /** @description Returns only posts scheduled before this time. */
                to?: string;
                /** @description Returns only posts that changed at or after this time, including changes of their targets. Deleted posts are listed by `GET /posts/deleted`. A change becomes visible shortly after its time: when polling, let the periods overlap by a few seconds. */
                updated_since?: string;
                /** @description Returns only posts whose text contains each of these words, anywhere and in any order. Case and accents are ignored: `ogrenci` finds `Öğrenci`. Only the first 5,000 characters of a text are searched. */
                search?: string;
            };
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
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
                        /** @description Cursor of the next page. Null on the last page. */
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
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description Unique value of your choice that makes the call safe to retry. The same call with the same key within 24 hours returns the first response and has no further effect. */
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
            415: components["responses"]["UnsupportedType"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    publicListPosts: {
        parameters: {
            query?: {
                /** @description Maximum number of records to return. A page with long texts may have fewer. */
                limit?: number;
                /** @description `next_cursor` of the previous page. Omit it for the first page. */
                cursor?: string;
                /** @description Returns only posts with this status. */
                status?: "draft" | "scheduled" | "publishing" | "published" | "partially_published" | "failed" | "unpublished";
                /** @description Returns only posts with this account among their targets. */
                account_id?: string;
                /** @description Returns only posts that this user wrote. */
                author_id?: string;
                /** @description Returns only posts with exactly this label. One line, without invisible characters or characters that change the text direction. */
                label?: string;
                /** @description Returns only posts scheduled at or after this time. */
                from?: string;
                /** @description Returns only posts scheduled before this time. */
                to?: string;
                /** @description Returns only posts that changed at or after this time, including changes of their targets. Deleted posts are listed by `GET /posts/deleted`. A change becomes visible shortly after its time: when polling, let the periods overlap by a few seconds. */
                updated_since?: string;
                /** @description Returns only posts whose text contains each of these words, anywhere and in any order. Case and accents are ignored: `ogrenci` finds `Öğrenci`. Only the first 5,000 characters of a text are searched. */
                search?: string;
            };
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
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
                        /** @description Cursor of the next page. Null on the last page. */
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
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description Unique value of your choice that makes the call safe to retry. The same call with the same key within 24 hours returns the first response and has no further effect. */
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
            415: components["responses"]["UnsupportedType"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    listPostSummaries: {
        parameters: {
            query?: {
                /** @description Maximum number of records to return. */
                limit?: number;
                /** @description `next_cursor` of the previous page. Omit it for the first page. */
                cursor?: string;
                /** @description Returns only posts with this status. */
                status?: "draft" | "scheduled" | "publishing" | "published" | "partially_published" | "failed" | "unpublished";
                /** @description Returns only posts with this account among their targets. */
                account_id?: string;
                /** @description Returns only posts that this user wrote. */
                author_id?: string;
                /** @description Returns only posts with exactly this label. One line, without invisible characters or characters that change the text direction. */
                label?: string;
                /** @description Returns only posts scheduled at or after this time. */
                from?: string;
                /** @description Returns only posts scheduled before this time. */
                to?: string;
            };
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
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
                        data: components["schemas"]["PostSummary"][];
                        /** @description Cursor of the next page. Null on the last page. */
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
    publicListPostSummaries: {
        parameters: {
            query?: {
                /** @description Maximum number of records to return. */
                limit?: number;
                /** @description `next_cursor` of the previous page. Omit it for the first page. */
                cursor?: string;
                /** @description Returns only posts with this status. */
                status?: "draft" | "scheduled" | "publishing" | "published" | "partially_published" | "failed" | "unpublished";
                /** @description Returns only posts with this account among their targets. */
                account_id?: string;
                /** @description Returns only posts that this user wrote. */
                author_id?: string;
                /** @description Returns only posts with exactly this label. One line, without invisible characters or characters that change the text direction. */
                label?: string;
                /** @description Returns only posts scheduled at or after this time. */
                from?: string;
                /** @description Returns only posts scheduled before this time. */
                to?: string;
            };
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
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
                        data: components["schemas"]["PostSummary"][];
                        /** @description Cursor of the next page. Null on the last page. */
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
    validatePost: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description Unique value of your choice that makes the call safe to retry. The same call with the same key within 24 hours returns the first response and has no further effect. */
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
                    "application/json": components["schemas"]["Validation"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    publicValidatePost: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description Unique value of your choice that makes the call safe to retry. The same call with the same key within 24 hours returns the first response and has no further effect. */
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
                    "application/json": components["schemas"]["Validation"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    listDeletedPosts: {
        parameters: {
            query?: {
                /** @description Maximum number of records to return. A page with long texts may have fewer. */
                limit?: number;
                /** @description `next_cursor` of the previous page. Omit it for the first page. */
                cursor?: string;
                /** @description Returns only posts deleted at or after this time. Defaults to all that can be restored. When polling, let the periods overlap by a few seconds. */
                since?: string;
            };
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
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
                        /** @description Cursor of the next page. Null on the last page. */
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
                /** @description Maximum number of records to return. A page with long texts may have fewer. */
                limit?: number;
                /** @description `next_cursor` of the previous page. Omit it for the first page. */
                cursor?: string;
                /** @description Returns only posts deleted at or after this time. Defaults to all that can be restored. When polling, let the periods overlap by a few seconds. */
                since?: string;
            };
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
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
                        /** @description Cursor of the next page. Null on the last page. */
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
    countPosts: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
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
                    "application/json": components["schemas"]["PostCounts"];
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
    publicCountPosts: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
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
                    "application/json": components["schemas"]["PostCounts"];
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
    previewLink: {
        parameters: {
            query: {
                /** @description Address of the page. */
                url: string;
            };
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
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
                    "application/json": components["schemas"]["LinkPreview"];
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
    publicPreviewLink: {
        parameters: {
            query: {
                /** @description Address of the page. */
                url: string;
            };
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
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
                    "application/json": components["schemas"]["LinkPreview"];
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
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path: {
                /** @description Unique id (UUIDv7). */
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
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path: {
                /** @description Unique id (UUIDv7). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. The response has no body. */
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
            415: components["responses"]["UnsupportedType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    changePost: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description ETag of the version that you read. If the record has changed since then, the update is refused with 412. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description Unique id (UUIDv7). */
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
            415: components["responses"]["UnsupportedType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    publicReadPost: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path: {
                /** @description Unique id (UUIDv7). */
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
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path: {
                /** @description Unique id (UUIDv7). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. The response has no body. */
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
            415: components["responses"]["UnsupportedType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    publicChangePost: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description ETag of the version that you read. If the record has changed since then, the update is refused with 412. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description Unique id (UUIDv7). */
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
            415: components["responses"]["UnsupportedType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    restorePost: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description Unique value of your choice that makes the call safe to retry. The same call with the same key within 24 hours returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description Unique id (UUIDv7). */
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
            415: components["responses"]["UnsupportedType"];
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
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description Unique value of your choice that makes the call safe to retry. The same call with the same key within 24 hours returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description Unique id (UUIDv7). */
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
            415: components["responses"]["UnsupportedType"];
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
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description Unique value of your choice that makes the call safe to retry. The same call with the same key within 24 hours returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description Unique id (UUIDv7). */
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
            415: components["responses"]["UnsupportedType"];
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
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description Unique value of your choice that makes the call safe to retry. The same call with the same key within 24 hours returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description Unique id (UUIDv7). */
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
            415: components["responses"]["UnsupportedType"];
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
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description Unique value of your choice that makes the call safe to retry. The same call with the same key within 24 hours returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description Unique id (UUIDv7). */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RetryPost"];
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
                    "application/json": components["schemas"]["Post"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
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
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description Unique value of your choice that makes the call safe to retry. The same call with the same key within 24 hours returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description Unique id (UUIDv7). */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RetryPost"];
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
            415: components["responses"]["UnsupportedType"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    resolveTarget: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description Unique value of your choice that makes the call safe to retry. The same call with the same key within 24 hours returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description Unique id (UUIDv7). */
                id: string;
                /** @description Unique id (UUIDv7). */
                target_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResolveTarget"];
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
                    "application/json": components["schemas"]["Post"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    publicResolveTarget: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description Unique value of your choice that makes the call safe to retry. The same call with the same key within 24 hours returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description Unique id (UUIDv7). */
                id: string;
                /** @description Unique id (UUIDv7). */
                target_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResolveTarget"];
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
            415: components["responses"]["UnsupportedType"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    editPublishedPost: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description ETag of the version that you read. If the record has changed since then, the update is refused with 412. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description Unique id (UUIDv7). */
                id: string;
                /** @description Unique id (UUIDv7). */
                target_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EditPublished"];
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
            415: components["responses"]["UnsupportedType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    publicEditPublishedPost: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description ETag of the version that you read. If the record has changed since then, the update is refused with 412. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description Unique id (UUIDv7). */
                id: string;
                /** @description Unique id (UUIDv7). */
                target_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EditPublished"];
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
            415: components["responses"]["UnsupportedType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    unpublishPost: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description Unique value of your choice that makes the call safe to retry. The same call with the same key within 24 hours returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description Unique id (UUIDv7). */
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
            415: components["responses"]["UnsupportedType"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    publicUnpublishPost: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description Unique value of your choice that makes the call safe to retry. The same call with the same key within 24 hours returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description Unique id (UUIDv7). */
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
            415: components["responses"]["UnsupportedType"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    readSellerBalance: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
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
                    "application/json": components["schemas"]["SellerBalance"];
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
    listStatement: {
        parameters: {
            query: {
                /** @description Maximum number of records to return. A page with long texts may have fewer. */
                limit?: number;
                /** @description `next_cursor` of the previous page. Omit it for the first page. */
                cursor?: string;
                /** @description Currency (ISO 4217). */
                currency: "TRY" | "USD";
                /** @description Returns what happened at this time or later. */
                from?: string;
                /** @description Returns what happened before this time. */
                to?: string;
            };
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
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
                        data: components["schemas"]["StatementLine"][];
                        /** @description Cursor of the next page. Null on the last page. */
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
    exportStatement: {
        parameters: {
            query: {
                /** @description Currency (ISO 4217). */
                currency: "TRY" | "USD";
                /** @description Returns what happened at this time or later. */
                from?: string;
                /** @description Returns what happened before this time. */
                to?: string;
            };
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
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
                    "text/csv": string;
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
    readPayoutAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
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
                    "application/json": components["schemas"]["PayoutAccount"];
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
    setPayoutAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangePayoutAccount"];
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
                    "application/json": components["schemas"]["PayoutAccount"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    listPayouts: {
        parameters: {
            query?: {
                /** @description Maximum number of records to return. A page with long texts may have fewer. */
                limit?: number;
                /** @description `next_cursor` of the previous page. Omit it for the first page. */
                cursor?: string;
                /** @description Status. `pending`: requested. `processing`: about to be transferred. The amount of a `failed` or `canceled` payout is available again. */
                status?: "pending" | "processing" | "paid" | "failed" | "canceled";
            };
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
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
                        data: components["schemas"]["Payout"][];
                        /** @description Cursor of the next page. Null on the last page. */
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
    requestPayout: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description Unique value of your choice that makes the call safe to retry. The same call with the same key within 24 hours returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewPayout"];
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
                    "application/json": components["schemas"]["Payout"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    readPayout: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path: {
                /** @description Unique id (UUIDv7). */
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
                    "application/json": components["schemas"]["Payout"];
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
    cancelPayout: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description Unique value of your choice that makes the call safe to retry. The same call with the same key within 24 hours returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description Unique id (UUIDv7). */
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
                    "application/json": components["schemas"]["Payout"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    listAllPayouts: {
        parameters: {
            query?: {
                /** @description Maximum number of records to return. A page with long texts may have fewer. */
                limit?: number;
                /** @description `next_cursor` of the previous page. Omit it for the first page. */
                cursor?: string;
                /** @description Status. `pending`: requested. `processing`: about to be transferred. The amount of a `failed` or `canceled` payout is available again. */
                status?: "pending" | "processing" | "paid" | "failed" | "canceled";
                /** @description Currency (ISO 4217). */
                currency?: "TRY" | "USD";
                /** @description Returns only the payouts of the batch with this id. */
                batch_id?: string;
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
                        data: components["schemas"]["AdminPayout"][];
                        /** @description Cursor of the next page. Null on the last page. */
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
    exportPayouts: {
        parameters: {
            query?: never;
            header?: {
                /** @description Unique value of your choice that makes the call safe to retry. The same call with the same key within 24 hours returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewPayoutBatch"];
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
                    "application/json": components["schemas"]["PayoutBatch"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    downloadPayoutBatch: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Unique id (UUIDv7). */
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
                    "text/csv": string;
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
    markPayoutPaid: {
        parameters: {
            query?: never;
            header?: {
                /** @description Unique value of your choice that makes the call safe to retry. The same call with the same key within 24 hours returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description Unique id (UUIDv7). */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PaidPayout"];
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
                    "application/json": components["schemas"]["AdminPayout"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    markPayoutFailed: {
        parameters: {
            query?: never;
            header?: {
                /** @description Unique value of your choice that makes the call safe to retry. The same call with the same key within 24 hours returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description Unique id (UUIDv7). */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FailedPayout"];
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
                    "application/json": components["schemas"]["AdminPayout"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    listGigs: {
        parameters: {
            query?: {
                /** @description Maximum number of records to return. A page with long texts may have fewer. */
                limit?: number;
                /** @description `next_cursor` of the previous page. Omit it for the first page. */
                cursor?: string;
                /** @description Returns only gigs whose title, description or categories have words that begin with each of these words. Case and accents are ignored. */
                search?: string;
                /** @description Returns only gigs of this category. One line, without invisible characters or characters that change the text direction. */
                category?: string;
                /** @description Returns only gigs with this currency (ISO 4217). */
                currency?: "TRY" | "USD";
                /** @description Returns only gigs with this price or a higher one. Needs `currency`. */
                price_min?: number;
                /** @description Returns only gigs with this price or a lower one. Needs `currency`. */
                price_max?: number;
                /** @description Returns only gigs of the seller with this handle. */
                seller?: string;
                /** @description Order. `newest`: by the first publication. `price_asc`, `price_desc`: by price; they need `currency`. `rating`: best ratings first, where a few count less than many. */
                sort?: "newest" | "price_asc" | "price_desc" | "rating";
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
                        data: components["schemas"]["GigSummary"][];
                        /** @description Cursor of the next page. Null on the last page. */
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    createGig: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description Unique value of your choice that makes the call safe to retry. The same call with the same key within 24 hours returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewGig"];
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
                    "application/json": components["schemas"]["Gig"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    publicCreateGig: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description Unique value of your choice that makes the call safe to retry. The same call with the same key within 24 hours returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewGig"];
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
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Gig"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    listOwnGigs: {
        parameters: {
            query?: {
                /** @description Maximum number of records to return. A page with long texts may have fewer. */
                limit?: number;
                /** @description `next_cursor` of the previous page. Omit it for the first page. */
                cursor?: string;
            };
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
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
                        data: components["schemas"]["Gig"][];
                        /** @description Cursor of the next page. Null on the last page. */
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
    publicListOwnGigs: {
        parameters: {
            query?: {
                /** @description Maximum number of records to return. A page with long texts may have fewer. */
                limit?: number;
                /** @description `next_cursor` of the previous page. Omit it for the first page. */
                cursor?: string;
            };
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
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
                        data: components["schemas"]["Gig"][];
                        /** @description Cursor of the next page. Null on the last page. */
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
    readGig: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id or slug. */
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
                    "application/json": components["schemas"]["Gig"];
                };
            };
            400: components["responses"]["Invalid"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    deleteGig: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path: {
                /** @description Unique id (UUIDv7). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. The response has no body. */
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
            415: components["responses"]["UnsupportedType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    changeGig: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path: {
                /** @description Unique id (UUIDv7). */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeGig"];
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
                    "application/json": components["schemas"]["Gig"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    publicDeleteGig: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path: {
                /** @description Unique id (UUIDv7). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. The response has no body. */
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
            415: components["responses"]["UnsupportedType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    publicChangeGig: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path: {
                /** @description Unique id (UUIDv7). */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeGig"];
            };
        };
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
                    "application/json": components["schemas"]["Gig"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    downloadGigSample: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Unique id (UUIDv7). */
                id: string;
                /** @description Id of the file. */
                media_id: string;
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
                    "image/*": string;
                    "video/*": string;
                };
            };
            400: components["responses"]["Invalid"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    downloadGigSampleThumbnail: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Unique id (UUIDv7). */
                id: string;
                /** @description Id of the file. */
                media_id: string;
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
                    "image/*": string;
                };
            };
            400: components["responses"]["Invalid"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    listOrders: {
        parameters: {
            query?: {
                /** @description Maximum number of records to return. A page with long texts may have fewer. */
                limit?: number;
                /** @description `next_cursor` of the previous page. Omit it for the first page. */
                cursor?: string;
                /** @description Side of the caller. Without it, both. */
                role?: "buyer" | "seller";
                /** @description Status. `pending`: paid, and not accepted yet. `expired`: not paid in time. `completed`, `canceled` and `expired` are final. */
                status?: "pending_payment" | "pending" | "in_progress" | "delivered" | "completed" | "canceled" | "disputed" | "expired";
            };
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
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
                        data: components["schemas"]["Order"][];
                        /** @description Cursor of the next page. Null on the last page. */
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
    createOrder: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description Unique value of your choice that makes the call safe to retry. The same call with the same key within 24 hours returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewOrder"];
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
                    "application/json": components["schemas"]["Order"];
                };
            };
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
                    "application/json": components["schemas"]["Order"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
    publicListOrders: {
        parameters: {
            query?: {
                /** @description Maximum number of records to return. A page with long texts may have fewer. */
                limit?: number;
                /** @description `next_cursor` of the previous page. Omit it for the first page. */
                cursor?: string;
                /** @description Side of the caller. Without it, both. */
                role?: "buyer" | "seller";
                /** @description Status. `pending`: paid, and not accepted yet. `expired`: not paid in time. `completed`, `canceled` and `expired` are final. */
                status?: "pending_payment" | "pending" | "in_progress" | "delivered" | "completed" | "canceled" | "disputed" | "expired";
            };
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
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
                        data: components["schemas"]["Order"][];
                        /** @description Cursor of the next page. Null on the last page. */
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
    readOrder: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path: {
                /** @description Unique id (UUIDv7). */
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
                    "application/json": components["schemas"]["Order"];
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
    publicReadOrder: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
            };
            path: {
                /** @description Unique id (UUIDv7). */
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
                    "application/json": components["schemas"]["Order"];
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
    withdrawOrder: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id or slug of the workspace. Defaults to the workspace chosen with `PATCH /me`, or to your only workspace. A token that is bound to a workspace uses that workspace, and is refused when this names another one. */
                "X-Workspace-Id"?: components["parameters"]["X-Workspace-Id"];
                /** @description Unique value of your choice that makes the call safe to retry. The same call with the same key within 24 hours returns the first response and has no further effect. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description Unique id (UUIDv7). */
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
                    "application/json": components["schemas"]["Order"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherProblem"];
        };
    };
}
