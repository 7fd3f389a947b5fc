-- Opens the database and asks one question.
if favorites.contains("news", "no such key") then error("a wrong answer") end
