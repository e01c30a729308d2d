-- Paying takes a session. Tokens that had the scope keep reading.
update api_token set scopes = array_remove(scopes, 'billing:write')
  || case when 'billing:read' = any (scopes) then '{}' else array['billing:read'] end
where 'billing:write' = any (scopes);
