print("starling")
